from collections import *
from datetime import *
from itertools import *
from random import *
from statistics import *
from typing import *

Point = namedtuple("Point", "x y")


def nearest(points: List[Point], to: Point) -> Optional[Point]:
    return min(points, key=lambda p: abs(p.x - to.x) + abs(p.y - to.y), default=None)


seed(3)
points = [Point(randint(0, 9), randint(0, 9)) for _ in range(5)]
gc, obj = Counter(p.x for p in points), nearest(points, Point(4, 4))
print(obj, mean(p.y for p in points), gc.most_common(1), list(islice(count(1), 3)), timedelta(days=2))
