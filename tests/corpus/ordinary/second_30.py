import pandas as pd
from pathlib import Path
frames = []
for path in sorted(Path("inputs").glob("*.csv")):
    frame = pd.read_csv(path)
    frame["source"] = path.stem
    frames.append(frame)
out = Path("output") / "all.parquet"
out.parent.mkdir(exist_ok=True)
if frames:
    pd.concat(frames).to_parquet(out)
print(len(frames))
