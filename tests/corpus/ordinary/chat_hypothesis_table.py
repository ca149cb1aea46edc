import pandas as pd
from scipy import stats
from itertools import combinations
df = pd.read_csv("experiment.csv")
groups = {name: g["score"].dropna().to_numpy() for name, g in df.groupby("arm")}
f, p = stats.f_oneway(*groups.values())
print(f"ANOVA F = {f:.2f}, p = {p:.4g}")
tests = []
for a, b in combinations(groups, 2):
    t = stats.ttest_ind(groups[a], groups[b], equal_var=False)
    d = (groups[a].mean() - groups[b].mean()) / ((groups[a].var(ddof=1) + groups[b].var(ddof=1)) / 2) ** .5
    lo, hi = t.confidence_interval(.95)
    tests.append((f"{a} vs {b}", t.statistic, t.pvalue, d, lo, hi))
res = pd.DataFrame(tests, columns="pair t p d lo hi".split()).sort_values("p")
m = len(res)
res["holm"] = (res["p"] * range(m, 0, -1)).cummax().clip(upper=1)
res["sig"] = res["holm"].lt(.05).map({True: "yes", False: "no"})
print(res.to_string(index=False, float_format=lambda x: f"{x:.3f}", justify="left"))
tukey = stats.tukey_hsd(*groups.values()); print(tukey)
res.style.format(precision=3).map(lambda v: "font-weight: bold" if v == "yes" else "", subset=["sig"]).to_html("output/tests.html")
