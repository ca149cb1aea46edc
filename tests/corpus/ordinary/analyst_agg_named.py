import pandas as pd
df = pd.read_csv("data.csv")
out = df.groupby("region").agg(total=("amount", "sum"), mean=("amount", "mean"), n=("amount", "size"), p95=("amount", lambda s: s.quantile(.95)))
out = out.sort_values("total", ascending=False).round(2)
print(out.to_string())
