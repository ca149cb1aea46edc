"""Ctrl-C while a node is at work: the work is ended first, since LangGraph waits for its nodes before it lets go."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from .errors import Cancelled

_came = threading.Event()


def stop_if_interrupted() -> None:
    """For a node that waits for something which no one can end from outside, between two looks at it. Raises Cancelled
    once SIGINT has come during `ending_on_interrupt`."""
    if _came.is_set():
        raise Cancelled("the caller interrupted the run; resume it to go on")


@contextmanager
def ending_on_interrupt(end: Callable[[], None]) -> Iterator[None]:
    """Call `end` when SIGINT comes, then do what was done before (KeyboardInterrupt). In other threads than the main one
    nothing changes, since signals are handled there only."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return

    def handle(number: int, frame: FrameType | None) -> None:
        _came.set()
        # In a thread of its own: the interrupted main thread may hold a lock that `end` needs.
        threading.Thread(target=end, name="fumehood-interrupt", daemon=True).start()
        before(number, frame)

    _came.clear()
    signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        _came.clear()
