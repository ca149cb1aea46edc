import numpy as np, pandas as pd
from scipy import fft, signal, stats
s = pd.read_csv("airline.csv", index_col=0, parse_dates=True).squeeze("columns").asfreq("MS")
trend = s.rolling(12, center=True).mean().rolling(2).mean().shift(-1)
detrended = s / trend
seasonal = detrended.groupby(detrended.index.month).transform("mean")
resid = s / (trend * seasonal)
def acf(x, nlags=24):
    x = np.asarray(x) - np.mean(x)
    full = np.correlate(x, x, "full")[len(x) - 1:]
    return full[:nlags + 1] / full[0]
log = np.log(s)
diff = log.diff().diff(12).dropna()
print(pd.Series(acf(diff)).round(2).to_list())
spec = np.abs(fft.rfft(diff.to_numpy() - diff.mean())) ** 2
freqs = fft.rfftfreq(len(diff), d=1)
print(f"dominant period {1 / freqs[1:][spec[1:].argmax()]:.1f} months")
f, Pxx = signal.welch(diff, nperseg=min(64, len(diff)))
b, a = signal.butter(3, .2, btype="low", output="ba")
filtered = signal.filtfilt(b, a, log)
alpha, beta, gamma = .3, .1, .2
level, tr = s.iloc[0], s.iloc[1] - s.iloc[0]
season = list(s.iloc[:12] / s.iloc[:12].mean())
for i, y in enumerate(s):
    m = i % 12
    prev = level
    level = alpha * y / season[m] + (1 - alpha) * (level + tr)
    tr = beta * (level - prev) + (1 - beta) * tr
    season[m] = gamma * y / level + (1 - gamma) * season[m]
future = pd.Series([(level + (h + 1) * tr) * season[(len(s) + h) % 12] for h in range(12)], index=pd.date_range(s.index[-1] + pd.offsets.MonthBegin(), periods=12, freq="MS"), name="forecast")
future.to_frame().to_csv("output/forecast.csv", date_format="%Y-%m", float_format="%.1f")
print(future.round(1).to_string(), stats.linregress(np.arange(len(log)), log).slope)
