import pathlib
from dataclasses import dataclass


@dataclass
class Point:
    x: int
    y: int


match pathlib:
    # ruleid: no-attribute-patterns
    case object(os=engine):
        print(engine)
    # ruleid: no-attribute-patterns
    case object(name="x", system=act):
        print(act)
match ():
    # ruleid: no-attribute-patterns
    case object(__class__=cls):
        print(cls)
    # ruleid: no-attribute-patterns
    case [tuple(), object(_private=p)]:
        print(p)
match Point(1, 2):
    # ok: no-attribute-patterns
    case Point(x=0, y=value):
        print(value)
    # ok: no-attribute-patterns
    case Point(x=x) if x == 1:
        print(x)
# ok: no-attribute-patterns
label = dict(os=1)
