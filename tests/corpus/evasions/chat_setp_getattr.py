import matplotlib.pyplot as plt
getattr(plt, "setp")(plt.title("x"), "usetex", True)
