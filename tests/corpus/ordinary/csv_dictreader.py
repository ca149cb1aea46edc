import csv
with open("in.csv", "w", newline="") as fh:
    w = csv.DictWriter(fh, fieldnames=["a", "b"])
    w.writeheader()
    w.writerow({"a": 1, "b": 2})
with open("in.csv", newline="") as fh:
    print([{k: int(v) for k, v in row.items()} for row in csv.DictReader(fh)])
