import matplotlib.dates as mdates
import matplotlib.gridspec as gridspec
import matplotlib.pyplot as plt
import pandas as pd

df = pd.read_csv("prices.csv", index_col="date", parse_dates=True)
fig = plt.figure(figsize=(9, 6))
grid = gridspec.GridSpec(2, 2, height_ratios=[2, 1])
top = fig.add_subplot(grid[0, :])
top.plot(df.index, df["close"], label="close")
top.plot(df["close"].rolling(20).mean(), ls="--", label="20 days")
top.fill_between(df.index, df["low"], df["high"], alpha=0.2)
top.xaxis.set_major_formatter(mdates.DateFormatter("%b %Y"))
top.legend(loc="upper left", ncols=2)
for index, column in enumerate(["volume", "close"]):
    ax = fig.add_subplot(grid[1, index])
    df[column].resample("ME").sum().plot.bar(ax=ax, title=column)
    ax.spines[["top", "right"]].set_visible(False)
fig.suptitle("Prices")
fig.savefig("prices.pdf")
plt.close("all")
