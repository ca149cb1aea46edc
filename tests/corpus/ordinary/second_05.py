import matplotlib.pyplot as plt
fig, axes = plt.subplots(1, 2, sharey=True)
for ax, (name, values) in zip(axes, {"a": [1, 2], "b": [3, 4]}.items()):
    ax.hist(values, bins=5, alpha=0.5, label=name)
    ax.set_title(f"{name}: {sum(values) / len(values):.1f}")
    ax.tick_params(axis="x", rotation=45)
    for spine in ("top", "right"):
        ax.spines[spine].set_visible(False)
plt.savefig("hist.png", bbox_inches="tight")
