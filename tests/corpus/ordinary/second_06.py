from matplotlib import pyplot as plt, cm, colors
import matplotlib.patches as mpatches
from mpl_toolkits.mplot3d import Axes3D
norm = colors.Normalize(0, 1)
fig = plt.figure()
ax = fig.add_subplot(projection="3d")
ax.scatter([1], [2], [3], c=[0.5], cmap=cm.viridis)
plt.legend(handles=[mpatches.Patch(color="red", label="x")])
plt.savefig("out.svg")
