from enum import Enum


class State(Enum):
    IDLE = "idle"
    RUNNING = "running"
    DONE = "done"


class Machine:
    _TABLE = {
        (State.IDLE, "start"): State.RUNNING,
        (State.RUNNING, "finish"): State.DONE,
    }

    def __init__(self):
        self.state = State.IDLE
        self._history = [self.state]
        self._handlers = {"start": self._on_start, "finish": self._on_finish}

    def fire(self, event):
        target = self._TABLE.get((self.state, event))
        if target is None:
            raise ValueError(f"{event!r} in {self.state.value}")
        self._handlers[event]()
        self.state = target
        self._history.append(target)

    def _on_start(self):
        print("starting")

    def _on_finish(self):
        print("finishing")


machine = Machine()
for event in ("start", "finish"):
    machine.fire(event)
print([state.name for state in machine._history], Machine._TABLE[State.IDLE, "start"])
