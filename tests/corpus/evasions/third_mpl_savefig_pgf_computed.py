import matplotlib.pyplot as plt
name = "x." + "p" + "gf"
plt.savefig(name)
