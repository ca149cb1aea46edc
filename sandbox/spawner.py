"""Starts processes from one thread that lives as long as this process.

The kernel sends a parent-death signal when the *thread* that forked ends, and bwrap's `--die-with-parent` is such a
signal: a sandbox started from a worker thread of an executor was killed when that thread went idle and ended.
"""

import os
import queue
import subprocess
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import cache


class _Spawner:
    def __init__(self) -> None:
        self.pid = os.getpid()
        self._work: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        threading.Thread(target=self._serve, name="fumehood-spawner", daemon=True).start()

    def _serve(self) -> None:
        while True:
            self._work.get()()

    def spawn(self, argv: Sequence[str], *, stdin: int, stdout: int, stderr: int,
              pass_fds: Sequence[int]) -> "subprocess.Popen[bytes]":
        result: Future[subprocess.Popen[bytes]] = Future()

        def start() -> None:
            try:
                # An empty environment: /proc/1/environ inside shows what bwrap itself was started with.
                result.set_result(subprocess.Popen(argv, stdin=stdin, stdout=stdout, stderr=stderr, env={},
                                                   pass_fds=pass_fds, close_fds=True, cwd="/"))
            except BaseException as error:
                result.set_exception(error)

        self._work.put(start)
        return result.result()


@cache
def _spawner_of(pid: int) -> _Spawner:
    return _Spawner()


def spawn(argv: Sequence[str], *, stdin: int, stdout: int, stderr: int,
          pass_fds: Sequence[int] = ()) -> "subprocess.Popen[bytes]":
    """Popen with an empty environment, from this process's one long-lived thread. Raises OSError as Popen does."""
    # By pid: after a fork the thread is the parent's, and this process needs one of its own.
    return _spawner_of(os.getpid()).spawn(argv, stdin=stdin, stdout=stdout, stderr=stderr, pass_fds=pass_fds)
