import csv
from itertools import accumulate, chain, groupby, islice, pairwise


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        yield from csv.DictReader(file)


def numbers(rows, key):
    for row in rows:
        try:
            yield float(row[key])
        except (KeyError, ValueError):
            continue


def windows(values, size):
    values = list(values)
    for start in range(len(values) - size + 1):
        yield values[start:start + size]


rows = sorted(read("rows.csv"), key=lambda row: row["city"])
for city, group in groupby(rows, key=lambda row: row["city"]):
    print(city, sum(numbers(group, "value")))
print(list(islice(accumulate(chain([1], range(5))), 4)), list(pairwise("abc")), list(windows([1, 2, 3], 2)))
