"""Turns at the processors: as many at once as there are slots, the rest in order, bounded, and free to leave."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from fumehood.sandbox.admission import Admission, Turn, of_this_process
from fumehood.sandbox.engine import Engine
from fumehood.sandbox.errors import EngineUnavailable, SandboxFailed
from fumehood.sandbox.limits import Limits
from fumehood.sandbox.manifest import Manifest
from fumehood.sandbox.session import Session

LONG_S = 30.0


def never() -> bool:
    return False


class Worker:
    """A thread that holds a slot until it is told to let go."""

    def __init__(self, admission: Admission, name: str, told: list[str], *, first: bool = True) -> None:
        self.turn = Turn(never, admission)
        self.inside, self.go = threading.Event(), threading.Event()
        self._told, self._name, self._first = told, name, first
        self.thread = threading.Thread(target=self._work, daemon=True)
        self.thread.start()

    def _work(self) -> None:
        with self.turn.taken(first=self._first):
            self._told.append(self._name)
            self.inside.set()
            self.go.wait(LONG_S)

    def end(self) -> None:
        self.go.set()
        self.thread.join(LONG_S)
        assert not self.thread.is_alive()


@contextmanager
def held(admission: Admission) -> Iterator[Worker]:
    worker = Worker(admission, "holder", [])
    assert worker.inside.wait(LONG_S)
    yield worker
    worker.end()


def until_waiting(admission: Admission, count: int) -> None:
    ticks = threading.Event()
    for _ in range(1000):
        if admission.waiting == count:
            return
        ticks.wait(0.01)
    raise AssertionError(f"{admission.waiting} wait, not {count}")


def test_no_more_are_inside_than_there_are_slots() -> None:
    admission, told = Admission(2), list[str]()
    workers = [Worker(admission, str(number), told) for number in range(5)]
    until_waiting(admission, 3)
    assert len(told) == 2
    for worker in workers:
        assert worker.inside.wait(LONG_S)
        worker.end()
    assert len(told) == 5
    assert admission.waiting == 0


def test_programs_come_before_starts_and_each_kind_in_order() -> None:
    admission, told = Admission(1), list[str]()
    with held(admission):
        workers = []
        for number, name in enumerate(("start 1", "start 2", "run 1", "run 2"), 1):
            worker = Worker(admission, name, told, first=name.startswith("run"))
            worker.go.set()
            workers.append(worker)
            until_waiting(admission, number)
    for worker in workers:
        worker.end()
    assert told == ["run 1", "run 2", "start 1", "start 2"]


def test_a_full_queue_refuses_in_words() -> None:
    admission = Admission(1, most_waiting=1)
    with held(admission):
        second = Worker(admission, "second", [])
        until_waiting(admission, 1)
        with pytest.raises(EngineUnavailable, match="1 programs wait"), Turn(never, admission).taken(first=True):
            pass
    second.end()
    with Turn(never, admission).taken(first=True):
        assert admission.waiting == 0


def test_who_gives_up_leaves_the_queue_and_takes_no_slot() -> None:
    admission, gone, left = Admission(1), list[bool](), threading.Event()
    turn = Turn(lambda: bool(gone), admission)

    def wait() -> None:
        with turn.taken(first=True):
            assert not turn.holds
        left.set()

    with held(admission):
        threading.Thread(target=wait, daemon=True).start()
        until_waiting(admission, 1)
        gone.append(True)
        turn.wake()
        assert left.wait(LONG_S)
        assert admission.waiting == 0
    with Turn(never, admission).taken(first=True):
        assert admission.waiting == 0


def test_a_slot_is_free_while_its_holder_waits_for_something_else() -> None:
    admission, mine = Admission(1), list[str]()
    turn = Turn(never, admission)
    with turn.taken(first=True):
        with turn.aside():
            other = Worker(admission, "other", mine)
            assert other.inside.wait(LONG_S)
            other.end()
        assert turn.holds
        with turn.taken(first=True):  # within its own: nothing to wait for
            assert turn.holds
        assert turn.holds
    assert not turn.holds


def test_a_fork_does_not_inherit_who_was_inside() -> None:
    with Turn(never).taken(first=True):
        read, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                with Turn(never).taken(first=True):
                    os.write(write, b"%d" % of_this_process().waiting)
            finally:
                os._exit(0)
        os.close(write)
        assert os.read(read, 10) == b"0"
        os.waitpid(pid, 0)
        os.close(read)


def test_a_session_waits_its_turn_and_can_be_cancelled_meanwhile(tmp_path: Path, usable: Callable[[str], Engine]) -> None:
    engine = usable("bubblewrap")
    admission, failed = of_this_process(), list[SandboxFailed]()
    session = Session.open(engine, limits=Limits(), manifest=Manifest(), run_id="turns")

    def run() -> None:
        try:
            session.run("print(1)", folder=tmp_path)
        except SandboxFailed as error:
            failed.append(error)

    workers = [Worker(admission, "busy", []) for _ in os.sched_getaffinity(0)]
    assert all(worker.inside.wait(LONG_S) for worker in workers)
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    until_waiting(admission, 1)
    session.cancel()
    thread.join(LONG_S)
    assert "cancelled while it waited" in str(failed[0])
    for worker in workers:
        worker.end()
    assert session.run("print(2)", folder=tmp_path).execution.stdout == "2\n"
    session.close()
