from enum import Enum, StrEnum, auto
class Level(str, Enum):
    LOW = "low"
    HIGH = "high"
    def label(self): return self.value.upper()
class Kind(StrEnum):
    A = auto()
    B = auto()
counts = dict.fromkeys(Level, 0)
for line in open("log.txt"):
    for level in Level:
        if level in line.lower():
            counts[level] += 1
print({k.label(): v for k, v in counts.items()}, Kind.A, "{} of {}".format(Level.LOW.value, len(counts)), Level("low") is Level.LOW)
