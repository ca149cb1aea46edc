import pandas as pd, numpy as np, matplotlib.pyplot as plt
order = ["Strongly disagree", "Disagree", "Neutral", "Agree", "Strongly agree"]
df = pd.read_csv("survey.csv", na_values=["", "N/A", "prefer not to say"])
q = [c for c in df.columns if c.startswith("Q")]
lik = df[q].apply(lambda s: pd.Categorical(s, categories=order, ordered=True))
dist = lik.apply(lambda s: s.value_counts(normalize=True, sort=False)).T[order] * 100
codes = lik.apply(lambda s: s.cat.codes.replace(-1, np.nan) + 1)
k = codes.shape[1]
alpha = k / (k - 1) * (1 - codes.var(ddof=1).sum() / codes.sum(axis=1).var(ddof=1))
print(f"Cronbach's alpha = {alpha:.2f}")
fig, ax = plt.subplots(figsize=(9, .6 * len(q) + 1))
left = -dist[order[:2]].sum(axis=1) - dist[order[2]] / 2
for name, color in zip(order, plt.cm.RdBu(np.linspace(.1, .9, 5))):
    ax.barh(dist.index, dist[name], left=left, color=color, label=name, height=.7)
    for y, (x, w) in enumerate(zip(left, dist[name])):
        if w > 5:
            ax.text(x + w / 2, y, f"{w:.0f}", ha="center", va="center", size=7)
    left += dist[name]
ax.axvline(0, c="k", lw=.8)
ax.legend(ncol=5, bbox_to_anchor=(0, 1.02), loc="lower left", fontsize="x-small")
for spine in ("top", "right", "left"):
    ax.spines[spine].set_visible(False)
plt.tight_layout(); plt.savefig("output/likert.png", dpi=200)
by = df.assign(score=codes.mean(axis=1)).groupby(["age_group", "gender"], dropna=False, observed=True)["score"].agg(mean="mean", n="size", se=lambda s: s.std() / np.sqrt(len(s)))
print(by.unstack("gender").swaplevel(axis=1).sort_index(axis=1).round(2))
