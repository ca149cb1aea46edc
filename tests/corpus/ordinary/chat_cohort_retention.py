"""Cohort retention analysis."""
from __future__ import annotations

import logging
from pathlib import Path

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

logging.basicConfig(level=logging.INFO, format="%(levelname)s: %(message)s")
logger = logging.getLogger(__name__)
OUTPUT_DIR = Path("output")
OUTPUT_DIR.mkdir(parents=True, exist_ok=True)


def load_orders(path: Path) -> pd.DataFrame:
    df = pd.read_csv(path, parse_dates=["order_date"])
    missing = {"customer_id", "order_date", "amount"} - set(df.columns)
    if missing:
        raise ValueError(f"Missing columns: {sorted(missing)}")
    return df.dropna(subset=["customer_id", "order_date"])


def build_cohorts(df: pd.DataFrame) -> pd.DataFrame:
    df = df.assign(
        order_month=df["order_date"].dt.to_period("M"),
        cohort=df.groupby("customer_id")["order_date"].transform("min").dt.to_period("M"),
    )
    df["age"] = (df["order_month"] - df["cohort"]).apply(lambda x: x.n)
    counts = df.groupby(["cohort", "age"])["customer_id"].nunique().unstack(fill_value=0)
    return counts.div(counts.iloc[:, 0], axis=0)


def main() -> None:
    orders = load_orders(Path("orders.csv"))
    retention = build_cohorts(orders)
    logger.info("cohorts: %d", len(retention))
    fig, ax = plt.subplots(figsize=(10, 6))
    im = ax.imshow(retention.values, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    ax.set_yticks(range(len(retention.index)), labels=retention.index.astype(str))
    for (i, j), value in np.ndenumerate(retention.values):
        ax.text(j, i, f"{value:.0%}", ha="center", va="center", color="white" if value > .5 else "black")
    fig.colorbar(im, ax=ax, label="Retention")
    fig.tight_layout()
    fig.savefig(OUTPUT_DIR / "retention.png", dpi=150)
    plt.close(fig)
    retention.to_csv(OUTPUT_DIR / "retention.csv", float_format="%.4f")


if __name__ == "__main__":
    main()
