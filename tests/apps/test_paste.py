"""A person at a real terminal with `--model paste`: what ends a reply, and what ends the run."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def terminal(at_terminal: Callable[..., Any]) -> Any:
    return at_terminal("run", "what is 6 times 7", "--model", "paste")


def test_ctrl_c_at_the_prompt_ends_the_run(terminal: Any) -> None:
    terminal.until("paste the reply")
    terminal.type("half a reply\r")
    terminal.type("\x03")
    assert terminal.ended() == 1
    assert "interrupted" in terminal.text
    assert "cancelled" in terminal.text
    assert "Traceback" not in terminal.text


def test_ctrl_d_ends_the_reply(terminal: Any) -> None:
    terminal.until("prompt (plan)")
    terminal.until("paste the reply")
    terminal.type("\x04")
    terminal.until("prompt (program)")
    terminal.until("paste the reply")
    terminal.type("```python\rprint(6 * 7)\r```\r\x04")
    assert terminal.ended() == 0
    assert "answered" in terminal.text


def test_step_by_step_explains_itself_and_can_be_left(at_terminal: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "replies.yml").write_text("version: 1\nentries:\n- purpose: program\n  reply: |\n"
                                          "    ```python\n    print(6 * 7)\n    ```\n")
    here = at_terminal("run", "what is 6 times 7", "--step", "--model", "recording:replies.yml")
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
