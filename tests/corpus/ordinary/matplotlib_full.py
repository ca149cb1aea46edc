import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import matplotlib.dates as mdates
from matplotlib.ticker import FuncFormatter
plt.style.use("ggplot")
plt.rcParams["figure.figsize"] = (6, 4)
plt.rcParams.update({"font.size": 11, "axes.grid": True})
plt.rc("font", size=10)
fig, ax = plt.subplots()
ax.plot([1, 2, 3], [1, 4, 9], label="y = $x^2$")
ax.yaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:.0f}"))
ax.set_title("a/b"); ax.legend()
cmap = plt.cm.viridis
fig.tight_layout()
fig.savefig("chart.png", dpi=120)
plt.close(fig)
