import json, gzip, bz2, lzma
from contextlib import closing
OPENERS = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
def smart_open(path, mode="rt"):
    for ext, fn in OPENERS.items():
        if path.endswith(ext):
            return fn(path, mode, encoding="utf-8")
    return open(path, mode, encoding="utf-8")
n = err = 0
totals = {}
with smart_open("events.jsonl.gz") as f:
    for lineno, line in enumerate(f, 1):
        line = line.strip()
        if not line: continue
        try:
            ev = json.loads(line)
            totals[ev["type"]] = totals.get(ev["type"], 0) + ev.get("value", 0)
            n += 1
        except (json.JSONDecodeError, KeyError, TypeError) as e:
            err += 1
            print(f"line {lineno}: {type(e).__name__}: {e}")
print(n, err, json.dumps(totals, sort_keys=True))
