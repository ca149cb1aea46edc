"""Starts processes from one thread that lives as long as this process.

The kernel sends a parent-death signal when the *thread* that forked ends, and bwrap's `--die-with-parent` is such a
signal: a sandbox started from a worker thread of an executor was killed when that thread went idle and ended.

Each is in a session of its own: Ctrl-C at a terminal goes to the whole foreground process group, and would end a sandbox
before this process has heard of it, which then looks like a sandbox that broke.
"""

import os
import queue
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from functools import cache
from types import MappingProxyType


class _Spawner:
    def __init__(self) -> None:
        self.pid = os.getpid()
        self._work: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        threading.Thread(target=self._serve, name="fumehood-spawner", daemon=True).start()

    def _serve(self) -> None:
        while True:
            self._work.get()()

    def spawn(self, argv: Sequence[str], *, stdin: int, stdout: int, stderr: int, pass_fds: Sequence[int],
              environment: Mapping[str, str]) -> "subprocess.Popen[bytes]":
        result: Future[subprocess.Popen[bytes]] = Future()

        def start() -> None:
            try:
                result.set_result(subprocess.Popen(argv, stdin=stdin, stdout=stdout, stderr=stderr, env=environment,
                                                   pass_fds=pass_fds, close_fds=True, cwd="/",
                                                   start_new_session=True))
            except BaseException as error:  # it belongs to the thread that waits for the result
                result.set_exception(error)

        self._work.put(start)
        return result.result()


@cache
def _spawner_of(pid: int) -> _Spawner:
    return _Spawner()


def spawn(argv: Sequence[str], *, stdin: int, stdout: int, stderr: int, pass_fds: Sequence[int] = (),
          environment: Mapping[str, str] = MappingProxyType({})) -> "subprocess.Popen[bytes]":
    """Popen from this process's one long-lived thread, with this environment and nothing of the host's (the program
    can read what its sandbox was started with in /proc). Raises OSError as Popen does."""
    # By pid: after a fork the thread is the parent's, and this process needs one of its own.
    return _spawner_of(os.getpid()).spawn(argv, stdin=stdin, stdout=stdout, stderr=stderr, pass_fds=pass_fds,
                                          environment=environment)
