# the names of dataclass fields go into text that dataclasses executes
import dataclasses
class Row:
    a: int = 0
Row.__annotations__["b=print('REACHED code from text', __import__('o'+'s').getpid())"] = int
Row = dataclasses.dataclass(init=True)(Row)
