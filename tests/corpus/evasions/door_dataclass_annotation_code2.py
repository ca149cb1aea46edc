import dataclasses
class Row:
    a: int
    __annotations__["b, c=(print('REACHED'),1)"] = "int"
dataclasses.dataclass(Row)
