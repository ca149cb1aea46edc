import gzip, json
with gzip.open("in.json.gz", "rt", encoding="utf-8") as f:
    data = [json.loads(line) for line in f if line.strip()]
print(len(data))
