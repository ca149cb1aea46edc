from enum import Enum, auto, IntFlag
class Status(Enum):
    OPEN = auto()
    CLOSED = "closed"
    @classmethod
    def parse(cls, text): return cls[text.upper()]
print([s.name for s in Status], Status.parse("open").value, Status.__members__.keys() if False else "")
