import heapq
import itertools
from dataclasses import dataclass, field
from enum import Enum, IntEnum, auto, unique


@unique
class Priority(IntEnum):
    HIGH = 1
    MEDIUM = 2
    LOW = 3


class State(Enum):
    NEW = auto()
    RUNNING = auto()
    DONE = "done"

    @classmethod
    def from_text(cls, text: str) -> "State":
        return cls[text.upper()]

    def __str__(self) -> str:
        return self.name.title()


@dataclass(slots=True, kw_only=True)
class Task:
    name: str
    priority: Priority = Priority.MEDIUM
    duration: float = 1.0
    state: State = State.NEW
    tags: set[str] = field(default_factory=set)
    _id: int = field(default_factory=itertools.count(1).__next__, init=False, repr=False)

    def __post_init__(self):
        if self.duration <= 0:
            raise ValueError("duration must be positive")


class Scheduler:
    def __init__(self):
        self._heap: list[tuple[int, int, Task]] = []
        self._counter = itertools.count()
        self.clock = 0.0

    def add(self, task: Task) -> None:
        heapq.heappush(self._heap, (task.priority, next(self._counter), task))

    def __len__(self):
        return len(self._heap)

    def __iter__(self):
        while self._heap:
            *_, task = heapq.heappop(self._heap)
            task.state = State.RUNNING
            self.clock += task.duration
            yield task
            task.state = State.DONE


s = Scheduler()
for name, prio in [("load", Priority.HIGH), ("plot", Priority.LOW), ("clean", Priority(2))]:
    s.add(Task(name=name, priority=prio, tags={name[0]}))
for t in s:
    print(f"{s.clock:5.1f} {t.name:<8} {t.priority.name:<7} {t.state}")
print(State.from_text("new"), [m.value for m in State], State.__members__.keys())
