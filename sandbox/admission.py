"""Who may use a processor now: about as many programs and starts of sandboxes as there are processors, the rest in turn.

More at once make none faster and all slower, since each needs its pages, its caches and its time slices. Programs whose
sandbox is there already come before starts, so that what is made is used up first.
"""

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

from .errors import EngineUnavailable

MOST_WAITING = 256


class Admission:
    """`slots` at once; at most `most_waiting` in the queue."""

    def __init__(self, slots: int, most_waiting: int = MOST_WAITING) -> None:
        self._lock = threading.Lock()
        self._free = slots
        self._most_waiting = most_waiting
        self._urgent: deque[Turn] = deque()
        self._others: deque[Turn] = deque()

    @property
    def waiting(self) -> int:
        """How many are in the queue."""
        return len(self._urgent) + len(self._others)

    def enter(self, turn: "Turn", *, first: bool) -> None:
        """Give `turn` a slot, or a place in the queue. Raises EngineUnavailable where that is full."""
        with self._lock:
            if self._free > 0 and not self.waiting:
                self._free -= 1
                turn.holds = True
                turn.woken.set()
            elif self.waiting >= self._most_waiting:
                raise EngineUnavailable(f"{self.waiting} programs wait for a processor already; run fewer at once, or on "
                                        "several machines")
            else:
                (self._urgent if first else self._others).append(turn)

    def leave(self, turn: "Turn") -> None:
        """Give the slot of `turn` to the next, or its place in the queue up. Nothing happens where it has neither."""
        with self._lock:
            if turn.holds:
                turn.holds = False
                self._pass_on()
                return
            for queue in (self._urgent, self._others):
                if turn in queue:
                    queue.remove(turn)

    def _pass_on(self) -> None:
        queue = self._urgent or self._others
        if not queue:
            self._free += 1
            return
        turn = queue.popleft()
        turn.holds = True
        turn.woken.set()


class Turn:
    """One user of a slot, time and again, from one thread at a time. `given_up`: asked while it waits; `wake` makes it
    ask again, from any thread."""

    def __init__(self, given_up: Callable[[], bool], admission: Admission | None = None) -> None:
        self._admission = admission or of_this_process()
        self._given_up = given_up
        self._depth = 0
        self.holds = False
        self.woken = threading.Event()

    @contextmanager
    def taken(self, *, first: bool) -> Iterator[None]:
        """Hold a slot, or go on without one where it was given up. Within another `taken` of the same turn nothing is
        waited for. Raises EngineUnavailable where too many wait."""
        self._depth += 1
        try:
            if self._depth == 1:
                self._wait(first=first)
            yield
        finally:
            self._depth -= 1
            if self._depth == 0:
                self._admission.leave(self)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Let go of the slot while something else than a program is waited for; take one again afterwards."""
        self._admission.leave(self)
        try:
            yield
        finally:
            self._wait(first=True)

    def wake(self) -> None:
        self.woken.set()

    def _wait(self, *, first: bool) -> None:
        self.woken.clear()
        self._admission.enter(self, first=first)
        while not self.holds and not self._given_up():
            self.woken.wait()
            self.woken.clear()


@cache
def _of_process(pid: int) -> Admission:
    return Admission(len(os.sched_getaffinity(0)))


def of_this_process() -> Admission:
    """A fork has one of its own, since whoever holds slots of its parent's is not in it."""
    return _of_process(os.getpid())
