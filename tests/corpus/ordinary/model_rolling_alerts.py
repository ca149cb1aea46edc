import pandas as pd

df = pd.read_csv("metrics.csv", parse_dates=["ts"]).set_index("ts").sort_index()
df["mean"] = df["value"].rolling("1h").mean()
df["std"] = df["value"].rolling("1h").std()
df["z"] = (df["value"] - df["mean"]) / df["std"]
alerts = df.loc[df["z"].abs() > 3]
daily = df["value"].resample("D").agg(["min", "max", "mean"])
daily["change"] = daily["mean"].pct_change().mul(100).round(1)
print(len(alerts), daily.tail(7).to_json(date_format="iso", orient="index"))
df.ewm(span=10)["value"].mean().to_csv("smooth.csv", header=["smooth"])
