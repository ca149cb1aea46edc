from matplotlib.artist import setp
import functools
import matplotlib.pyplot as plt
functools.partial(setp, plt.title("x"))("usetex", True)
