import matplotlib.pyplot as plt
settings = dict([("text." + "usetex", True)])
plt.rcParams.update(settings)
