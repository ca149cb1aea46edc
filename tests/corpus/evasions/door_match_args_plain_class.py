# without ABC: the object's own class has __match_args__ through a subclass
import dataclasses
@dataclasses.dataclass
class Row:
    a: int
    __match_args__ = ("__init__",)
class Fn:
    __match_args__ = ("x",)
match Row(1):
    case Row(init):
        print("REACHED", init)
