from dataclasses import dataclass
from operator import attrgetter, itemgetter
@dataclass
class Item:
    name: str
    price: float
items = [Item("a", 2.0), Item("b", 1.0)]
print([i.name for i in sorted(items, key=attrgetter("price", "name"))], sorted([(2, 1)], key=itemgetter(0)))
