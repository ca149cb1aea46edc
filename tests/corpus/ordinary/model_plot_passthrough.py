import matplotlib.pyplot as plt
import pandas as pd


def line(df, x, y, ax=None, **style):
    ax = ax or plt.gca()
    df.plot(x=x, y=y, ax=ax, **style)
    return ax


COMMON = {"marker": "o", "linewidth": 1}
df = pd.DataFrame({"t": range(5), "v": [1, 4, 2, 5, 3]})
line(df, "t", "v", color="tab:red", **COMMON)
plt.axhline(df["v"].mean(), ls="--")
plt.savefig("line.png")
