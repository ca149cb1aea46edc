import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.ticker import FuncFormatter, MaxNLocator

df = pd.read_csv("visits.csv", parse_dates=["when"])
table = df.pivot_table(index=df["when"].dt.day_name(), columns=df["when"].dt.hour, values="n", aggfunc="sum", fill_value=0)
fig, ax = plt.subplots(figsize=(10, 4), layout="constrained")
cmap = LinearSegmentedColormap.from_list("mine", ["white", "#336699"])
image = ax.imshow(table.to_numpy(), cmap=cmap, norm=Normalize(0, table.to_numpy().max()), aspect="auto")
ax.set_yticks(np.arange(len(table.index)), table.index)
ax.xaxis.set_major_locator(MaxNLocator(integer=True))
ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{int(value):02d}h"))
for (i, j), value in np.ndenumerate(table.to_numpy()):
    ax.text(j, i, f"{value:.0f}", ha="center", va="center", fontsize=6)
fig.colorbar(image, ax=ax, label="visits / hour")
ax.annotate("peak", xy=(1, 1), xytext=(2, 2), arrowprops={"arrowstyle": "->"})
fig.savefig("heat.png")
plt.show()
