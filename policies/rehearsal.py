"""A program of ours that a waiting core scans first, and what is taken out of its answer for that."""

from .canonical import SENTINEL

REHEARSALS = ("rehearsal.py", "rehearsal_again.py")
"""Names under which it is scanned: the second time a scan takes a third less, the third no less than the second."""
REHEARSED = f'''import json
import math
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

LIMIT = 3


@dataclass
class Row:
    name: str
    value: float = 0.0


def read(path, *, skip=0, **options):
    """What a program of ours would do."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = [line.strip() for line in file if line and not line.startswith("#")][skip:]
    except (OSError, ValueError) as error:
        raise SystemExit(f"no {{path!r}}: {{error}}") from error
    return {{key: float(value) for key, _, value in (line.partition(",") for line in lines)}}


frame = pd.read_csv("data.csv", sep=",", parse_dates=["day"]).dropna()
frame["rate"] = np.where(frame["leads"] > 0, frame["paid"] / frame["leads"], np.nan)
table = frame[frame["rate"] >= 0.1].groupby("city", as_index=False).agg({{"rate": ["mean", "max"]}})
rows, total = [], 0
for index, item in enumerate(table.itertuples()):
    if item.rate is None or index % 2 == 1:
        continue
    elif index > LIMIT:
        break
    total += math.sqrt(abs(item.rate))
    rows.append(Row(item.city, round(item.rate, 2)))
while total > 100 and rows:
    total -= rows.pop().value
figure, axes = plt.subplots(figsize=(8, 4))
axes.bar([row.name for row in rows], [row.value for row in rows], color="tab:blue")
figure.savefig("output/chart.png")
best = max(rows, key=lambda row: row.value, default=None)
Path("output/result.json").write_text(json.dumps({{"rows": len(rows), "best": best.name if best else None}}))
assert total == total, "not a number"
print(Counter(row.name for row in rows).most_common(3), f"{{total:.2f}}")
{SENTINEL}()
'''
"""A program like those to come, scanned by a core before it waits: what the first file costs is then behind it."""
