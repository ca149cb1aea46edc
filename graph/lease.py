"""Who drives a run: an identity that a later process can check, and a lease that ends with its holder."""

import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .database import Database
from .errors import StoreError


@dataclass(frozen=True, slots=True)
class Owner:
    """A process, named so that a later one with the same pid is not taken for it."""

    host: str
    pid: int
    started: int
    """Start time in clock ticks since boot; 0 where the system does not tell."""

    def __str__(self) -> str:
        return f"{self.host}:{self.pid}:{self.started}"

    @classmethod
    def parse(cls, text: str) -> "Owner":
        host, pid, started = text.rsplit(":", 2)
        return cls(host, int(pid), int(started))

    def alive(self) -> bool | None:
        """Whether the process still runs; None where this host cannot know."""
        if self.host != socket.gethostname():
            return None
        return _start_time(self.pid) == self.started


def _start_time(pid: int) -> int | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    except OSError:
        return 0
    # The second field is the command in brackets and may hold anything, so fields are counted from its end.
    return int(stat.rpartition(")")[2].split()[19])


def this_process() -> Owner:
    return Owner(socket.gethostname(), os.getpid(), _start_time(os.getpid()) or 0)


class Leases:
    """At most one process drives a run. The lock dies with its holder, so nothing has to be cleaned up after a kill."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @contextmanager
    def hold(self, run_id: str) -> Iterator[None]:
        """Hold a run. Raises StoreError where another process (or thread) holds it."""
        # Asking whether a lock is held takes it for a moment, so one refusal is not yet an answer.
        lock = self._database.try_lock(f"run-{run_id}")
        for pause in (0.02, 0.05, 0.1, 0.2):
            if lock is None:
                time.sleep(pause)
                lock = self._database.try_lock(f"run-{run_id}")
        if lock is None:
            raise StoreError(f"another process is working on run {run_id}; wait for it, or end it and resume")
        try:
            yield
        finally:
            lock.release()

    def held(self, run_id: str) -> bool:
        return self._database.locked(f"run-{run_id}")
