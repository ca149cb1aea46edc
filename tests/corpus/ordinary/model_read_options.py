import pandas as pd

OPTIONS = {"sep": ";", "decimal": ",", "encoding": "utf-8"}
if True:
    OPTIONS["parse_dates"] = ["date"]
df = pd.read_csv("export.csv", **OPTIONS)


def load(path, **options):
    return pd.read_csv(path, **{**OPTIONS, **options})


frames = [load(path) for path in ("a.csv", "b.csv")]
print(pd.concat(frames, ignore_index=True).describe(include="all"))
