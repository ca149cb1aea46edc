# dataclasses looks exec up in its own globals first: hand it ours, and get another module's names
import enum, dataclasses
class Spy(enum.Enum):
    exec = 1
    def __call__(self, text, names, *more):
        print("REACHED", sorted(names)[:5])
Spy.__module__ = "dataclasses"
enum.global_enum(Spy)
@dataclasses.dataclass
class Row:
    a: int
