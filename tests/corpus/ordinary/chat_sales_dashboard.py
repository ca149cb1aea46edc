import pandas as pd
import matplotlib.pyplot as plt
import matplotlib.gridspec as gridspec
from matplotlib.patches import Patch, Rectangle
from matplotlib.lines import Line2D
from matplotlib import cm, colormaps, colors as mcolors
import textwrap
df = pd.read_csv("sales.csv", parse_dates=["date"])
df["month"] = df["date"].dt.strftime("%Y-%m")
monthly = df.pivot_table(index="month", columns="product", values="amount", aggfunc="sum").fillna(0)
cmap = colormaps["tab10"]
palette = {p: cmap(i) for i, p in enumerate(monthly.columns)}
fig = plt.figure(figsize=(14, 9), layout="constrained")
gs = gridspec.GridSpec(2, 3, figure=fig)
ax1 = fig.add_subplot(gs[0, :2])
monthly.plot(kind="area", stacked=True, ax=ax1, color=[palette[c] for c in monthly], alpha=.8)
ax2 = fig.add_subplot(gs[0, 2])
share = monthly.sum().sort_values()
wedges, texts, autotexts = ax2.pie(share, labels=share.index, autopct="%1.1f%%", startangle=90, wedgeprops={"width": .4})
plt.setp(autotexts, size=8, weight="bold")
ax3 = fig.add_subplot(gs[1, :])
bars = ax3.barh(share.index, share.values, color=[palette[k] for k in share.index])
ax3.bar_label(bars, fmt="{:,.0f} €", padding=3)
ax3.invert_yaxis()
ax3.set_xlim(right=share.max() * 1.15)
ax3.legend(handles=[Patch(color=c, label=textwrap.shorten(n, 20)) for n, c in palette.items()], bbox_to_anchor=(1.01, 1), loc="upper left")
twin = ax1.twinx()
twin.plot(monthly.sum(axis=1).pct_change().mul(100).to_numpy(), "k--", lw=1)
twin.set_ylabel("growth %")
fig.text(.99, .01, f"{df['date'].min():%d %b %Y} – {df['date'].max():%d %b %Y}", ha="right", fontsize=7)
ax1.tick_params(axis="x", rotation=45)
norm = mcolors.Normalize(vmin=0, vmax=share.max())
sm = cm.ScalarMappable(norm=norm, cmap="viridis")
sm.set_array([])
plt.colorbar(sm, ax=ax3, orientation="horizontal", fraction=.05)
plt.savefig("output/dashboard.png", dpi=150)
plt.show()
