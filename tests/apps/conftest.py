"""A person at a real terminal."""

import os
import pty
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest


class Terminal:
    """A command on a terminal of its own, as in a shell's foreground."""

    def __init__(self, home: Path, folder: Path, *words: str, **more: str) -> None:
        environment = {**os.environ, "FUMEHOOD_HOME": str(home), "FUMEHOOD_ENGINES": '["bubblewrap"]', "TERM": "xterm",
                       "COLUMNS": "150", "LINES": "50", **more}
        self.pid, self._side = pty.fork()
        if self.pid == 0:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.chdir(folder)
            os.execve(sys.executable, [sys.executable, "-m", "fumehood.apps.cli", *words], environment)
        self.text = ""
        self._seen = 0
        self.code: int | None = None

    def until(self, sign: str, seconds: float = 120.0) -> None:
        """Read on until `sign` was shown after what an earlier call waited for."""
        deadline = time.monotonic() + seconds
        while (place := self.text.find(sign, self._seen)) < 0:
            assert time.monotonic() < deadline, f"{sign!r} never came:\n{self.text}"
            assert self._read(), f"ended before {sign!r} came:\n{self.text}"
        self._seen = place + len(sign)

    def type(self, keys: str) -> None:
        os.write(self._side, keys.encode())

    def ended(self, seconds: float = 60.0) -> int:
        """Exit code; fails when the command does not end."""
        deadline = time.monotonic() + seconds
        while self._read():
            assert time.monotonic() < deadline, f"still running:\n{self.text}"
        self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.code

    def _read(self) -> bool:
        if not select.select([self._side], [], [], 0.5)[0]:
            return True
        try:
            data = os.read(self._side, 65536)
        except OSError:  # the other side is closed
            return False
        self.text += data.decode("utf-8", "replace")
        return bool(data)

    def close(self) -> None:
        if self.code is None:
            os.kill(self.pid, 9)
            os.waitpid(self.pid, 0)
        os.close(self._side)


@pytest.fixture
def at_terminal(home: Path, tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    """Starts a command on a terminal; variables of its environment come as keywords."""
    made: list[Terminal] = []

    def start(*words: str, **more: str) -> Terminal:
        made.append(Terminal(home, tmp_path, *words, **more))
        return made[-1]

    yield start
    for terminal in made:
        terminal.close()
