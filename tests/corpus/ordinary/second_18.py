import pandas as pd
s = pd.Series([1, 2, None, 4], name="v")
print(s.interpolate().tolist(), s.isna().sum(), s.fillna(s.median()).pct_change().round(2).tolist())
df = pd.DataFrame({"t": pd.date_range("2024", periods=4, freq="h"), "v": s}).set_index("t")
print(df.resample("2h").mean().to_dict("list"), df.rolling(2, min_periods=1)["v"].max().tolist())
