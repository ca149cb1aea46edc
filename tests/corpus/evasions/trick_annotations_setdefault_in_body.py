import dataclasses
@dataclasses.dataclass
class Row:
    a: int = 0
    __annotations__.setdefault("b=print(1)", int)
