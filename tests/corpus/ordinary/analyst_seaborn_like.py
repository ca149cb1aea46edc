import matplotlib.pyplot as plt
import numpy as np
plt.style.use("seaborn-v0_8-whitegrid")
plt.rcParams["font.size"] = 12
plt.rcParams.update({"axes.titlesize": 14, "figure.dpi": 120, "savefig.bbox": "tight"})
fig, axes = plt.subplots(2, 2, figsize=(10, 8), constrained_layout=True)
for ax, c in zip(axes.flat, plt.cm.viridis(np.linspace(0, 1, 4))):
    ax.hist(np.random.default_rng(0).normal(size=500), bins=30, color=c, alpha=.7)
    ax.spines[["top", "right"]].set_visible(False)
fig.savefig("output/hist.svg"); plt.show()
