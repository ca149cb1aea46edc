import numpy as np
import pandas as pd

index = pd.date_range("2022-01-01", periods=365, freq="D")
rng = np.random.default_rng(0)
series = pd.Series(10 + 0.01 * np.arange(365) + 2 * np.sin(2 * np.pi * np.arange(365) / 7) + rng.normal(0, 0.5, 365), index=index)
trend = series.rolling(7, center=True).mean()
seasonal = (series - trend).groupby(series.index.dayofweek).transform("mean")
resid = series - trend - seasonal
outliers = resid[(resid - resid.mean()).abs() > 3 * resid.std()]
monthly = series.resample("MS").agg({"mean", "std"} if False else ["mean", "std"])
print(trend.dropna().iloc[[0, -1]].round(2).to_dict(), len(outliers), monthly.round(2).head(2).to_dict("index"))
print(series.autocorr(7).round(3), series.shift(1).corr(series).round(3), series.diff().describe().round(2).to_dict())
