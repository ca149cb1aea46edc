import dataclasses
class Row:
    a: int = 0
Row.__annotations__.update({"b=print('REACHED')": int})
dataclasses.dataclass(Row)
