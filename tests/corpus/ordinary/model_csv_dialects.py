import csv
from pathlib import Path

text = Path("export.txt").read_text(encoding="utf-8-sig")
dialect = csv.Sniffer().sniff(text[:2048], delimiters=";,\t|")
rows = list(csv.DictReader(text.splitlines(), dialect=dialect))
with open("clean.csv", "w", newline="", encoding="utf-8") as file:
    writer = csv.DictWriter(file, fieldnames=sorted(rows[0]), extrasaction="ignore", quoting=csv.QUOTE_MINIMAL)
    writer.writeheader()
    for row in rows:
        writer.writerow({key: (value or "").strip() for key, value in row.items()})
print(len(rows), dialect.delimiter)
