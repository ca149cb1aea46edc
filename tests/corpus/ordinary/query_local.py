import pandas as pd
df = pd.read_json('[{"a": 1}]') if False else pd.DataFrame({"a": [1, 5]})
mask = df["a"].gt(2) & df["a"].isin([5])
print(df.loc[mask, "a"].sum())
