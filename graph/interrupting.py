"""Ctrl-C, or the end of the run's own time, while a node is at work: the work is ended first, since LangGraph waits for
its nodes before it lets go."""

import contextvars
import queue
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

from .errors import Cancelled, TimeOver

Piece = TypeVar("Piece")
_came = threading.Event()
_until: "contextvars.ContextVar[float | None]" = contextvars.ContextVar("fumehood_until", default=None)
_LOOK_S = 0.1
_AHEAD = 64
"""Pieces that are taken before somebody wants them."""


@contextmanager
def within(until: float | None) -> Iterator[None]:
    """What waits below it ends at this Unix time, with TimeOver; null: never."""
    token = _until.set(until)
    try:
        yield
    finally:
        _until.reset(token)


def stop_if_over() -> None:
    """For a node that waits for something which no one can end from outside, between two looks at it. Raises Cancelled
    once SIGINT has come during `ending_on_interrupt`, TimeOver once the time of `within` is over."""
    if _came.is_set():
        raise Cancelled("the caller interrupted the run; resume it to go on")
    until = _until.get()
    if until is not None and time.time() > until:
        raise TimeOver("the run's time was over before the model had ended its reply")


def pause(seconds: float) -> None:
    """Sleep, until SIGINT comes or the time is over. Raises as `stop_if_over`."""
    until = _until.get()
    _came.wait(seconds if until is None else max(0.0, min(seconds, until - time.time() + _LOOK_S)))
    stop_if_over()


def interruptible(make: Callable[[], Iterator[Piece]], give_up: Callable[[], None]) -> Iterator[Piece]:
    """The pieces of `make()`, waited for in a thread of its own: a read from a silent server can be ended by nobody.

    `give_up` is called where the pieces are left before their end, by an interrupt, at the end of time or by the caller;
    the thread then ends by itself, and what comes to it is dropped. Raises as `stop_if_over`.
    """
    taken: queue.Queue[tuple[str, Piece | None, BaseException | None]] = queue.Queue(_AHEAD)
    left = threading.Event()

    def put(kind: str, piece: Piece | None = None, error: BaseException | None = None) -> bool:
        while not left.is_set():
            try:
                taken.put((kind, piece, error), timeout=_LOOK_S)
            except queue.Full:
                continue
            return True
        return False

    def take() -> None:
        try:
            for piece in make():
                if not put("piece", piece):
                    return
        except BaseException as error:  # it belongs to the thread that waits, whatever it is, and is raised there
            put("error", error=error)
        else:
            put("end")

    threading.Thread(target=contextvars.copy_context().run, args=(take,), name="fumehood-model", daemon=True).start()
    ended = False
    try:
        while True:
            stop_if_over()
            try:
                kind, piece, error = taken.get(timeout=_LOOK_S)
            except queue.Empty:
                continue
            ended = kind != "piece"
            if error is not None:
                raise error
            if ended:
                return
            yield piece  # type: ignore[misc]
    finally:
        left.set()
        if not ended:
            give_up()


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
