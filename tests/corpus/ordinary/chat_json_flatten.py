import json
from pathlib import Path
from typing import Any
import pandas as pd


def flatten(obj: Any, prefix: str = "", sep: str = ".") -> dict[str, Any]:
    match obj:
        case dict():
            return {k: v for key, value in obj.items() for k, v in flatten(value, f"{prefix}{sep}{key}" if prefix else str(key), sep).items()}
        case list() | tuple():
            return {k: v for i, value in enumerate(obj) for k, v in flatten(value, f"{prefix}[{i}]", sep).items()}
        case str() | int() | float() | bool() | None:
            return {prefix: obj}
        case _:
            raise TypeError(type(obj).__qualname__)


path = Path("nested.json")
data = json.loads(path.read_text(encoding="utf-8"))
flat = flatten(data)
width = max(map(len, flat), default=0)
for key, value in flat.items():
    print(f"{key:<{width}}  {value!r:>20}")
df = pd.json_normalize(data["items"], record_path="lines", meta=["id", ["customer", "name"]], errors="ignore", sep="_")
df = df.rename(columns=str.lower).convert_dtypes()
print(df.dtypes.to_dict(), df.memory_usage(deep=True).sum())
exploded = df.explode("tags").assign(tags=lambda d: d["tags"].str.strip().str.title())
ids = exploded["id"].map({1: "one"}).fillna("other")
exploded.groupby(ids)["qty"].apply(list).to_json("output/qty.json")
