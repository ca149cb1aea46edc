from enum import Enum, IntEnum, IntFlag, auto, unique


@unique
class Level(IntEnum):
    LOW = 1
    HIGH = 3

    @classmethod
    def _missing_(cls, value):
        return cls.LOW


class Colour(Enum):
    RED = "r"
    BLUE = "b"

    @property
    def label(self):
        return self.name.title()

    def __str__(self):
        return self._value_


class Access(IntFlag):
    READ = auto()
    WRITE = auto()


Day = Enum("Day", ["MON", "TUE"])
print(Level(7), [str(c) for c in Colour], Access.READ | Access.WRITE, list(Day), Colour.__members__["RED"].label)
