import pandas as pd

table = pd.DataFrame({"day": pd.date_range("2024-01-01", periods=4), "value": [3, 1, 4, 1]})
parts = ("year", "month", "day")
for part in parts:
    table[part] = getattr(table["day"].dt, part)
measures = ["mean", "std", "max"]
for measure in measures:
    print(measure, getattr(table["value"], measure)())
titles = {"Lowest": "min", "Middle": "median"}
for title, kind in titles.items():
    print(f"{title}: {getattr(table['value'], kind)():.1f}")
