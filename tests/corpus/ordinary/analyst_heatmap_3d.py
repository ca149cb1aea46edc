import numpy as np
import matplotlib.pyplot as plt
from mpl_toolkits.mplot3d import Axes3D
from matplotlib.ticker import FuncFormatter
from matplotlib.colors import LinearSegmentedColormap
import matplotlib.dates as mdates
fig = plt.figure(); ax = fig.add_subplot(111, projection="3d")
x, y = np.meshgrid(np.linspace(-2, 2, 30), np.linspace(-2, 2, 30))
ax.plot_surface(x, y, np.sin(x) * np.cos(y), cmap="coolwarm")
fig.savefig("s.png")
