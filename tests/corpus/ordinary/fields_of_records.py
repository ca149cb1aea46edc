import dataclasses
from dataclasses import dataclass, fields


@dataclass
class Order:
    name: str
    amount: float = 0.0

    def row(self):
        return {part.name: getattr(self, part.name) for part in dataclasses.fields(self)}


def shown(record):
    for column in fields(record):
        yield f"{column.name}={getattr(record, column.name)!r}"


order = Order("pen", 2.5)
print(order.row(), list(shown(order)), order.__dict__)
for key, value in order.__dict__.items():
    print(key, value)
