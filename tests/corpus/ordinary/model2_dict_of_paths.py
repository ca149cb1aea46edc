from pathlib import Path

import pandas as pd

PATHS = {"orders": "orders.csv", "people": "people.csv"}
DATA_DIR = Path("data")
frames = {name: pd.read_csv(DATA_DIR / file) for name, file in PATHS.items()}
for name in PATHS:
    frames[name].to_parquet(DATA_DIR / f"{name}.parquet")
config = {"in": "a.csv", "out": {"csv": "b.csv", "json": "b.json"}}
pd.read_csv(config["in"]).to_json(config["out"]["json"])
print({k: len(v) for k, v in frames.items()})
