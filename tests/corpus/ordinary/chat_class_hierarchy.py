from abc import ABC, abstractmethod
from typing import Iterator
import math
class Shape(ABC):
    registry: dict[str, type["Shape"]] = {}
    @property
    @abstractmethod
    def area(self) -> float: ...
    def __lt__(self, o): return self.area < o.area
    def __iter__(self) -> Iterator[float]:
        yield self.area
def register(cls):
    Shape.registry[cls.__name__.lower()] = cls
    return cls
@register
class Circle(Shape):
    def __init__(self, r): self.r = r
    @property
    def area(self): return math.pi * self.r ** 2
@register
class Square(Shape):
    def __init__(self, a): self.a = a
    @property
    def area(self): return self.a ** 2
shapes = [Shape.registry[k](v) for k, v in [("circle", 2), ("square", 3)]]
for s in sorted(shapes): print(s.__class__.__name__, f"{s.area:.2f}", isinstance(s, Shape))
