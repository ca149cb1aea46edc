import matplotlib.pyplot as plt
name = "x.pgf"
plt.gcf().savefig(fname=name)
