import numpy as np, pandas as pd
s = pd.Series(np.arange(48.0), index=pd.date_range("2024-01-01", periods=48, freq="MS"))
forecast = s.rolling(12).mean().shift(1)
resid = (s - forecast).dropna()
z = (resid - resid.mean()) / resid.std(ddof=0)
print(z[z.abs() > 3].index.strftime("%Y-%m").tolist(), s.resample("QS").sum().iloc[-1])
