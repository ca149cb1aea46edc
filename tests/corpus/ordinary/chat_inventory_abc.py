import csv
from operator import attrgetter
from dataclasses import dataclass, replace, fields, astuple
@dataclass
class Item:
    sku: str
    units: int
    cost: float
    @property
    def value(self): return self.units * self.cost
    @classmethod
    def from_row(cls, row):
        return cls(**{f.name: f.type(row[f.name]) if callable(f.type) else row[f.name] for f in fields(cls)})
with open("stock.csv", newline="") as fh:
    items = [Item(r["sku"], int(r["units"]), float(r["cost"])) for r in csv.DictReader(fh)]
items.sort(key=lambda i: i.value, reverse=True)
total = sum(i.value for i in items)
run = 0
classes = {}
for item in items:
    run += item.value
    classes[item.sku] = "A" if run <= .8 * total else "B" if run <= .95 * total else "C"
with open("output/abc.csv", "w", newline="") as fh:
    w = csv.writer(fh, delimiter=";", quotechar='"', quoting=csv.QUOTE_NONNUMERIC)
    w.writerow([f.name for f in fields(Item)] + ["class"])
    for i in items:
        w.writerow([*astuple(i), classes[i.sku]])
print(replace(items[0], units=0), total)
