import argparse
import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.ticker import StrMethodFormatter
from types import SimpleNamespace
parser = argparse.ArgumentParser()
parser.add_argument("--rows", dest="rows_to_read", type=int, default=3)
options = parser.parse_args([])
point = SimpleNamespace(x=1, y=2, label="p")
frame = pd.DataFrame({"a": [1.5, 2.5], "b": [0.1, 0.2]})
print(frame.style.format("{:.2f}").to_html(), frame.style.format({"a": "{:.1f}", "b": "{:.0%}"}).to_html())
figure, axes = plt.subplots()
axes.plot(frame["a"], frame["b"], linestyle="--")
axes.yaxis.set_major_formatter(StrMethodFormatter("{x:,.0f} €"))
axes.set_title("rows", fontdict={"fontsize": 9}, url="https://example.org")
plt.style.use("ggplot")
figure.savefig(f"rows_{options.rows_to_read}.png")
print(point.label, frame.pivot_table(values="b", index="a", aggfunc="mean"))
