import json
from pathlib import Path

index = json.loads(Path("index.json").read_text())
total = 0
for entry in index["files"]:
    path = Path("data") / entry["name"]
    if path.suffix == ".json" and path.exists():
        content = json.loads(path.read_text())
        total += len(content.get("rows", []))
with open(index["files"][0]["name"]) as file:
    print(file.readline().strip())
print(json.dumps({"rows": total}))
