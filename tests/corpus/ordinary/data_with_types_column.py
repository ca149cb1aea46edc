import pandas as pd
df = pd.DataFrame({"types": ["a"], "platform": ["x"], "signal": [1], "code": ["c"], "os": ["linux"], "home": [1]})
print(df.platform.iloc[0], df.types.iloc[0], df.code.tolist(), df["os"].tolist(), df.signal.sum())
