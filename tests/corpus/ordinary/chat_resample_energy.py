import pandas as pd
import numpy as np
import matplotlib.pyplot as plt
import matplotlib.dates as mdates
from matplotlib.ticker import MaxNLocator, PercentFormatter

plt.style.use("ggplot")
plt.rcParams.update({"figure.dpi": 120, "axes.titlesize": 11, "font.size": 9})
df = (pd.read_csv("meter.csv", sep=";", decimal=",", parse_dates=["timestamp"], dayfirst=True, na_values=["n/a", "-"])
        .set_index("timestamp").sort_index().loc["2023":"2024"])
df = df[~df.index.duplicated(keep="first")]
hourly = df["kwh"].resample("1h").sum(min_count=1)
hourly = hourly.interpolate("time", limit=3)
daily = hourly.resample("D").agg(["sum", "max", lambda s: s.idxmax().hour if s.notna().any() else np.nan])
daily.columns = ["total", "peak", "peak_hour"]
daily["rolling"] = daily["total"].rolling(7, center=True, min_periods=3).mean()
daily["ewm"] = daily["total"].ewm(span=14).mean()
profile = hourly.groupby([hourly.index.dayofweek, hourly.index.hour]).mean().unstack()
fig, axes = plt.subplots(2, 2, figsize=(14, 8), constrained_layout=True)
ax = axes[0, 0]
ax.plot(daily.index, daily["total"], ".", ms=2, label="daily")
ax.plot(daily["rolling"], label="7 days")
ax.xaxis.set_major_locator(mdates.MonthLocator(interval=2))
ax.xaxis.set_major_formatter(mdates.DateFormatter("%b %y"))
ax.legend(loc="upper left", frameon=False)
pcm = axes[0, 1].pcolormesh(profile.columns, profile.index, profile.values, shading="nearest")
fig.colorbar(pcm, ax=axes[0, 1])
axes[1, 0].hist(daily["peak_hour"].dropna(), bins=np.arange(25) - .5, weights=np.full(daily["peak_hour"].notna().sum(), 1 / len(daily)))
axes[1, 0].yaxis.set_major_formatter(PercentFormatter(1))
axes[1, 1].boxplot([g["total"].dropna() for _, g in daily.groupby(daily.index.month)])
axes[1, 1].xaxis.set_major_locator(MaxNLocator(integer=True))
for a, label in zip(axes.flat, "ABCD"):
    a.set_title(label, loc="left", fontweight="bold")
fig.autofmt_xdate()
fig.savefig("output/energy.svg")
daily.reset_index().to_json("output/daily.json", orient="records", date_format="iso", lines=True)
