"""Who drives a run: a lease that ends with its holder, and whether the process that is noted as its owner still lives."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from ..sandbox.owner import owner_identity, owner_is_dead
from .database import Database
from .errors import StoreError


def surely_alive(owner: str) -> bool:
    """True only where it is certain: a process of this boot and this pid namespace, running now."""
    here, there = owner_identity().split("/"), owner.split("/")
    return there[:3] == here[:3] and not owner_is_dead(owner)


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

    @contextmanager
    def wait(self, run_id: str) -> Iterator[None]:
        """Hold a run as soon as nobody else does."""
        lock = self._database.lock(f"run-{run_id}")
        try:
            yield
        finally:
            lock.release()

    def held(self, run_id: str) -> bool:
        return self._database.locked(f"run-{run_id}")
