"""A person at a real terminal with `--model paste`: what ends a reply, and what ends the run."""

import os
import pty
import select
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest


class Terminal:
    """A command on a terminal of its own, as in a shell's foreground."""

    def __init__(self, home: Path, folder: Path, *words: str) -> None:
        environment = {**os.environ, "FUMEHOOD_HOME": str(home), "FUMEHOOD_ENGINES": '["bubblewrap"]', "TERM": "xterm",
                       "COLUMNS": "150", "LINES": "50"}
        self.pid, self._side = pty.fork()
        if self.pid == 0:
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
def terminal(home: Path, tmp_path: Path) -> Iterator[Terminal]:
    made = Terminal(home, tmp_path, "run", "what is 6 times 7", "--model", "paste")
    yield made
    made.close()


def test_ctrl_c_at_the_prompt_ends_the_run(terminal: Terminal) -> None:
    terminal.until("paste the reply")
    terminal.type("half a reply\r")
    terminal.type("\x03")
    assert terminal.ended() == 1
    assert "interrupted" in terminal.text
    assert "cancelled" in terminal.text
    assert "Traceback" not in terminal.text


def test_ctrl_d_ends_the_reply(terminal: Terminal) -> None:
    terminal.until("prompt (plan)")
    terminal.until("paste the reply")
    terminal.type("\x04")
    terminal.until("prompt (program)")
    terminal.until("paste the reply")
    terminal.type("```python\rprint(6 * 7)\r```\r\x04")
    assert terminal.ended() == 0
    assert "answered" in terminal.text


def test_step_by_step_explains_itself_and_can_be_left(home: Path, tmp_path: Path) -> None:
    (tmp_path / "replies.yml").write_text("version: 1\nentries:\n- purpose: program\n  reply: |\n"
                                          "    ```python\n    print(6 * 7)\n    ```\n")
    here = Terminal(home, tmp_path, "run", "what is 6 times 7", "--step", "--model", "recording:replies.yml")
    try:
        here.until("next: ")
        here.until("\nnext node (n), leave (q), explain (?)")
        here.type("?\r")
        here.until("stops after every node")
        here.until("next node")
        here.type("n\r")
        here.until("next node")
        here.type("q\r")
        assert here.ended() == 1
        assert "=Decimal" not in here.text
        assert "Traceback" not in here.text
    finally:
        here.close()
