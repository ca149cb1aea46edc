import dataclasses
class Row:
    a: int = 0
notes = Row.__annotations__
notes["b=print('REACHED')"] = int
dataclasses.dataclass(Row)
