import math
class Vec:
    __slots__ = ("x", "y")
    def __init__(self, x, y): self.x, self.y = x, y
    def __add__(self, o): return Vec(self.x + o.x, self.y + o.y)
    def __sub__(self, o): return Vec(self.x - o.x, self.y - o.y)
    def __mul__(self, k): return Vec(self.x * k, self.y * k) if isinstance(k, (int, float)) else self.x * k.x + self.y * k.y
    __rmul__ = __mul__
    def __abs__(self): return math.hypot(self.x, self.y)
    def __iter__(self): return iter((self.x, self.y))
    def __repr__(self): return "Vec({}, {})".format(self.x, self.y)
    def __getitem__(self, i): return (self.x, self.y)[i]
v = 2 * Vec(1, 2) + Vec(3, 4) - Vec(0, 1)
x, y = v
print(v, abs(v), v * v, v[0], x, y, sum((Vec(i, i) for i in range(3)), Vec(0, 0)))
