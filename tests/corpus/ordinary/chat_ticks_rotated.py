import matplotlib.pyplot as plt, numpy as np
x = np.arange(6); labels = ["Jan", "Feb", "Mar", "Apr", "May", "Jun"]
fig, ax = plt.subplots()
rects = ax.bar(x - .2, [1, 2, 3, 4, 5, 6], .4, label="2023", hatch="//", edgecolor="k")
ax.bar(x + .2, [2, 1, 4, 3, 6, 5], .4, label="2024")
ax.set_xticks(x); ax.set_xticklabels(labels)
plt.setp(ax.get_xticklabels(), rotation=45, ha="right", rotation_mode="anchor")
for r in rects:
    ax.annotate(f"{r.get_height()}", (r.get_x() + r.get_width() / 2, r.get_height()), ha="center", va="bottom")
ax.yaxis.grid(True); ax.set_axisbelow(True)
leg = ax.legend(); leg.get_frame().set_alpha(.5); leg.set_title("Year")
fig.canvas.draw()
plt.savefig("output/bars.png", bbox_inches="tight", pad_inches=.1, metadata={"Title": "Bars"})
