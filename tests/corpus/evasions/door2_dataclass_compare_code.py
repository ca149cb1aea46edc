import dataclasses
class Row:
    a: int = 1
Row.__annotations__["a, print('REACHED code from a field name')"] = int
Row = dataclasses.dataclass(init=False, repr=False)(Row)
Row() == Row()
