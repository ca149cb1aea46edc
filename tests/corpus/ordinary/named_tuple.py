from collections import namedtuple, defaultdict, OrderedDict
Point = namedtuple("Point", "x y")
p = Point(1, 2)._replace(x=5)
print(p._asdict(), Point._fields, p)
