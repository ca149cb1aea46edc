import pandas as pd, numpy as np, json
from pathlib import Path
frames = []
for path in sorted(Path("sensors").glob("station_*.csv")):
    station = path.stem.removeprefix("station_")
    try:
        f = pd.read_csv(path, sep=None, engine="python", encoding="latin-1")
    except (pd.errors.EmptyDataError, UnicodeDecodeError) as e:
        print(f"Skipping {path}: {e!r}")
        continue
    f.insert(0, "station", station)
    frames.append(f)
if not frames:
    raise SystemExit("no data")
df = pd.concat(frames, ignore_index=True, sort=False)
df.columns = (df.columns.str.strip().str.lower().str.replace(r"[^0-9a-z]+", "_", regex=True).str.strip("_"))
df["temp"] = pd.to_numeric(df["temp"].astype(str).str.replace(",", ".").str.extract(r"(-?\d+(?:\.\d+)?)", expand=False), errors="coerce")
q1, q3 = df["temp"].quantile([.25, .75])
iqr = q3 - q1
df["outlier"] = ~df["temp"].between(q1 - 1.5 * iqr, q3 + 1.5 * iqr)
mad = (df["temp"] - df["temp"].median()).abs().median()
df["z"] = 0.6745 * (df["temp"] - df["temp"].median()) / mad
report = {
    "rows": int(len(df)),
    "missing": df.isna().sum().to_dict(),
    "duplicates": int(df.duplicated().sum()),
    "per_station": df.groupby("station")["temp"].agg(["mean", "std", "count"]).round(2).to_dict(orient="index"),
}
Path("output/quality.json").write_text(json.dumps(report, indent=2, default=lambda o: o.item() if hasattr(o, "item") else str(o)))
df.loc[df["outlier"]].to_csv("output/outliers.csv", index=False)
print(json.dumps(report, indent=2, default=str))
