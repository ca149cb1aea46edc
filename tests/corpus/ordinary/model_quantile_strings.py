import pandas as pd

df = pd.read_csv("latency.csv")
print(df.groupby("service")["ms"].agg(["min", "mean", "max"]))
print(df.groupby("service")["ms"].quantile([0.5, 0.95, 0.99]).unstack())
print(df["ms"].agg("quantile", q=0.9))
