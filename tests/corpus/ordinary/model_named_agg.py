import pandas as pd

df = pd.read_csv("orders.csv", parse_dates=["date"])
summary = df.groupby("customer").agg(
    orders=("id", "nunique"),
    revenue=("amount", "sum"),
    last=pd.NamedAgg(column="date", aggfunc="max"),
    spread=("amount", lambda s: s.max() - s.min()),
)
summary["rank"] = summary["revenue"].rank(ascending=False).astype(int)
print(summary.sort_values("rank").head(10).to_string())
