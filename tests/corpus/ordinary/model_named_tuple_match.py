from collections import namedtuple
from typing import NamedTuple

Point = namedtuple("Point", "x y")


class Move(NamedTuple):
    start: Point
    end: Point


def length(move):
    match move:
        case Move(Point(x=x1, y=y1), Point(x2, y2)):
            return ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
    return None


print(length(Move(Point(0, 0), Point(3, 4))))
