from __future__ import annotations
import re
from functools import singledispatch, singledispatchmethod, partial, cmp_to_key
from numbers import Number, Real
from fractions import Fraction
class Quantity:
    __slots__ = ("value", "unit")
    FACTORS = {"m": 1, "km": 1000, "cm": Fraction(1, 100), "in": Fraction(254, 10000), "ft": Fraction(3048, 10000)}
    def __init__(self, value: Real, unit: str):
        if unit not in self.FACTORS:
            raise ValueError(f"unknown unit {unit}")
        self.value, self.unit = Fraction(value), unit
    @classmethod
    def parse(cls, text: str) -> Quantity:
        m = re.fullmatch(r"\s*(-?[\d./]+)\s*([a-z]+)\s*", text)
        if m is None:
            raise ValueError(text)
        return cls(Fraction(m.group(1)), m.group(2))
    def to(self, unit):
        return Quantity(self.value * self.FACTORS[self.unit] / self.FACTORS[unit], unit)
    def __add__(self, other):
        if isinstance(other, Quantity):
            return Quantity(self.value + other.to(self.unit).value, self.unit)
        return NotImplemented
    __radd__ = __add__
    def __mul__(self, k): return Quantity(self.value * k, self.unit)
    __rmul__ = __mul__
    def __format__(self, spec):
        return f"{float(self.value):{spec or '.3f'}} {self.unit}"
    def __str__(self): return format(self)
    def __bool__(self): return self.value != 0
    def __abs__(self): return Quantity(abs(self.value), self.unit)
@singledispatch
def describe(x): return f"object {x}"
@describe.register
def _(x: int): return f"integer {x:d}"
@describe.register(float)
def _(x): return f"float {x:g}"
@describe.register(list)
@describe.register(tuple)
def _(x): return "sequence of " + ", ".join(map(describe, x))
total = Quantity.parse("3/4 km") + Quantity(20, "in")
print(f"{total:.4f}", total.to("ft"), 2 * total, describe([1, 2.5, "x"]), bool(Quantity(0, "m")))
print(sorted(["10 m", "2 km", "30 in"], key=lambda t: Quantity.parse(t).to("m").value), sorted([3, 1, 2], key=cmp_to_key(lambda a, b: b - a)), partial(round, ndigits=2)(2.345))
