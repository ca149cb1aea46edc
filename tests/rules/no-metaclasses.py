import abc
from abc import ABCMeta
from dataclasses import dataclass


# ruleid: no-metaclasses
class Meta(type):
    pass


# ruleid: no-metaclasses
class Step(metaclass=Meta):
    pass


# ruleid: no-metaclasses
kind = type("T", (), {"a": 1})
# ruleid: no-metaclasses
kinds = map(type, ["T"], [()], [{}])


# ok: no-metaclasses
class Shape(metaclass=ABCMeta):
    pass


# ok: no-metaclasses
class Form(metaclass=abc.ABCMeta):
    pass


# ok: no-metaclasses
@dataclass
class Row:
    a: int


# ok: no-metaclasses
name = type(Row(1)).__name__
# ok: no-metaclasses
kinds = list(map(type, [1, 2]))
# ok: no-metaclasses
kinds = table["a"].apply(type)
# ruleid: no-metaclasses
made = table["a"].apply(type, args=((), {}))
# ruleid: no-metaclasses
maker = partial(type, "T")
