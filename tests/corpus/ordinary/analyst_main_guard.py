import csv, json, sys
from collections import defaultdict
def main():
    totals = defaultdict(float)
    try:
        with open("data.csv", newline="", encoding="utf-8") as handle:
            for row in csv.DictReader(handle):
                totals[row["region"]] += float(row["amount"] or 0)
    except FileNotFoundError as exc:
        print(f"missing: {exc}", file=sys.stderr)
        sys.exit(1)
    print(json.dumps(totals, indent=2))
if __name__ == "__main__":
    main()
