import pandas as pd
df = pd.DataFrame({"g": list("aab"), "v": [1, 2, 3]})
out = df.groupby("g").agg(total=("v", "sum"), mean=("v", "mean"), n=("v", "size")).reset_index()
print(out.to_dict("records"))
print(df.groupby("g")["v"].agg(["min", "max", lambda s: s.max() - s.min()]).shape)
