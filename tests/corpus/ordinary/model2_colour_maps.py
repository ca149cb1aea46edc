import matplotlib.pyplot as plt
import numpy as np
from mpl_toolkits.mplot3d import Axes3D

plt.style.use("seaborn-v0_8-whitegrid")
colours = plt.cm.viridis(np.linspace(0, 1, 5))
fig = plt.figure(figsize=(6, 4))
ax = fig.add_subplot(projection="3d")
x, y = np.meshgrid(np.linspace(-2, 2, 30), np.linspace(-2, 2, 30))
ax.plot_surface(x, y, np.exp(-x**2 - y**2), cmap="coolwarm")
ax.set(xlabel="x (m/s)", ylabel="y", zlabel="z")
plt.tight_layout()
plt.savefig("surface.png", dpi=150)
plt.figure()
plt.hist(np.random.default_rng(1).normal(size=500), bins=30, color=colours[2], edgecolor="white", alpha=0.7)
plt.boxplot([[1, 2, 3], [2, 3, 4]], labels=["a", "b"]) if False else None
plt.xticks(rotation=45)
plt.savefig("hist.jpg")
