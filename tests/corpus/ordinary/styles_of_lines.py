import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import pandas as pd

lines = [{"y": [1, 3, 2], "style": {"color": "tab:red", "marker": "o"}}, {"y": [2, 2, 4], "style": {"linestyle": "--"}}]
for line in lines:
    plt.plot(line["y"], **line["style"])
plt.savefig("lines.png")
left = pd.DataFrame({"id": [1, 2], "a": [3, 4]})
both = left.merge(pd.DataFrame({"id": [2, 3], "b": [5, 6]}), on="id", how="outer", indicator=True)
print(both[both._merge == "left_only"], [name for name in dir(plt) if name.startswith("plot")])
