import enum, dataclasses
class Spy:
    def __call__(self, text, names, *more):
        print("REACHED names of a library:", sorted(names)[:3], text[:40])
Kind = enum.Enum("Kind", {"ex" + "ec": 1}, module="dataclasses", type=Spy)
enum.global_enum(Kind)
@dataclasses.dataclass
class Row:
    a: int
