from enum import Enum, Flag, auto
class Color(Enum):
    RED = auto()
    BLUE = auto()
    @classmethod
    def parse(cls, text):
        return cls[text.upper()]
class Perm(Flag):
    R = 1
    W = 2
print(Color.parse("red").name, [c.value for c in Color], Perm.R | Perm.W)
