import csv
from collections import defaultdict
from statistics import mean, median
agg = {"mean": mean, "median": median, "max": max, "n": len}
groups = defaultdict(list)
with open("data.csv", encoding="utf-8-sig") as f:
    for row in csv.DictReader(f, delimiter=";", skipinitialspace=True):
        groups[row["group"], row["year"]].append(float(row["value"].replace(",", ".") or "nan"))
result = {k: {name: fn(v) for name, fn in agg.items()} for k, v in groups.items()}
for (g, y), d in sorted(result.items(), key=lambda kv: (kv[0][1], -kv[1]["n"])):
    print(g, y, *(f"{n}={v:.2f}" if isinstance(v, float) else f"{n}={v}" for n, v in d.items()), sep=" | ")
