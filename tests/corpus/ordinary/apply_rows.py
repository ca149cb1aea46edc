import pandas as pd
df = pd.DataFrame({"a": [1, 2], "b": [3, 4]})
df["c"] = df.apply(lambda r: r["a"] * r.b, axis=1)
print(df.pipe(lambda d: d.assign(d=1)).shape, df.transform("cumsum").shape)
