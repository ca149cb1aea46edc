from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import pandas as pd

OUT = Path("output") / "charts"
OUT.mkdir(parents=True, exist_ok=True)
df = pd.read_csv("sales.csv")
plt.rcParams["figure.figsize"] = (8, 4)
plt.rcParams.update({"font.size": 9, "axes.grid": True})
for region, part in df.groupby("region"):
    name = str(region).lower().replace(" ", "_").replace("/", "-")
    fig, ax = plt.subplots()
    part.plot(x="month", y="amount", ax=ax, kind="bar", legend=False)
    ax.set_title(f"Sales in {region}")
    fig.savefig(OUT / f"{name}.png", dpi=110, bbox_inches="tight")
    plt.close(fig)
print(sorted(p.name for p in OUT.glob("*.png")))
