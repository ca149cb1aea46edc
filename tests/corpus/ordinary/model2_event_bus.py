from collections import defaultdict
from typing import Callable


class Bus:
    def __init__(self) -> None:
        self._handlers: dict[str, list[Callable]] = defaultdict(list)

    def on(self, event: str, handler: Callable) -> None:
        self._handlers[event].append(handler)

    def emit(self, event: str, *args) -> int:
        for handler in self._handlers[event]:
            handler(*args)
        return len(self._handlers[event])


bus = Bus()
bus.on("load", lambda name: print("loaded", name))
bus.on("load", print)
print(bus.emit("load", "a.csv"))
