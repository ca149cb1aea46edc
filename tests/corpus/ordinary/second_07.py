import json
def flatten(obj, prefix=""):
    if isinstance(obj, dict):
        for k, v in obj.items():
            yield from flatten(v, f"{prefix}{k}.")
    elif isinstance(obj, list):
        for i, v in enumerate(obj):
            yield from flatten(v, f"{prefix}{i}.")
    else:
        yield prefix[:-1], obj
with open("config.json", encoding="utf-8") as fh:
    data = json.load(fh)
print(json.dumps(dict(flatten(data)), ensure_ascii=False, sort_keys=True))
