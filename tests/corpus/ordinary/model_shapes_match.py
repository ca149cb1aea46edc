from dataclasses import dataclass


@dataclass
class Circle:
    radius: float


@dataclass
class Rectangle:
    width: float
    height: float


def area(shape):
    match shape:
        case Circle(radius):
            return 3.14159 * radius**2
        case Rectangle(width=w, height=h) if w == h:
            return w * w
        case Rectangle(w, h):
            return w * h
        case [first, *rest]:
            return area(first) + sum(map(area, rest))
        case str(text) | {"shape": str(text)}:
            raise ValueError(f"unknown shape {text}")
        case int() | float():
            return float(shape)
        case _:
            return 0.0


print(area(Circle(1)), area([Rectangle(2, 3), Rectangle(2, 2)]))
