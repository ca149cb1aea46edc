import gzip
import json
from pathlib import Path

records = []
for path in sorted(Path("events").glob("*.jsonl.gz")):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        records += [json.loads(line) for line in file if line.strip()]


def flat(value, prefix=""):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from flat(inner, f"{prefix}{key}.")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from flat(inner, f"{prefix}{index}.")
    else:
        yield prefix.rstrip("."), value


print(len(records), sorted({key for record in records for key, _ in flat(record)})[:20])
Path("merged.json").write_text(json.dumps(records, ensure_ascii=False, indent=1))
