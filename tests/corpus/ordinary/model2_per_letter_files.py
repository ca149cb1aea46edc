import csv
from collections import defaultdict
from pathlib import Path

groups = defaultdict(list)
with open("names.csv", newline="", encoding="utf-8") as file:
    for row in csv.DictReader(file):
        groups[row["name"][0].upper()].append(row)
folder = Path("by_letter")
folder.mkdir(exist_ok=True)
for letter, rows in sorted(groups.items()):
    target = folder / (letter + ".csv")
    with target.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    print(target, len(rows))
