import pandas as pd
from itertools import combinations
from collections import Counter

tx = pd.read_csv("baskets.csv").groupby("basket_id")["item"].agg(set)
n = len(tx)
single, pair = Counter(), Counter()
for basket in tx:
    single.update(basket)
    pair.update(frozenset(c) for c in combinations(sorted(basket), 2))
rules = []
for items, cnt in pair.items():
    if cnt / n < 0.01:
        continue
    for lhs in items:
        (rhs,) = items - {lhs}
        conf = cnt / single[lhs]
        rules.append(dict(lhs=lhs, rhs=rhs, support=cnt / n, confidence=conf, lift=conf / (single[rhs] / n)))
out = pd.DataFrame.from_records(rules).sort_values(["lift", "confidence"], ascending=False, ignore_index=True)
out.head(20).to_csv("output/rules.csv", index=False)
print(out.head(10).to_string(formatters={"support": "{:.2%}".format, "confidence": "{:.2%}".format, "lift": "{:.2f}".format}))
