"""Each input by the reader that its ending names, and a summary of all."""
import json
from pathlib import Path

import pandas as pd

READERS = {".csv": pd.read_csv, ".json": pd.read_json, ".parquet": pd.read_parquet}
STEPS = [("rows", len), ("columns", lambda frame: list(frame.columns)), ("total", lambda frame: float(frame.iloc[:, -1].sum()))]


def load(path):
    reader = READERS.get(path.suffix)
    if reader is None:
        raise ValueError(f"no reader for {path.name}")
    return reader(path)


summary = {}
for path in sorted(Path(".").glob("*.*")):
    if path.suffix in READERS:
        frame = load(path)
        summary[path.name] = {name: step(frame) for name, step in STEPS}
Path("output").mkdir(exist_ok=True)
for name, write in {"summary.json": json.dumps, "summary.txt": str}.items():
    Path("output", name).write_text(write(summary))
print(summary)
