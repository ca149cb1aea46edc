"""A person who is asked right at the terminal."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fumehood.graph.store import RunStore

PROGRAM = "n = 6 * 7\nprint(n)\n"
DENIED = "import os\nos.system('id')\n"


@pytest.fixture
def editor(tmp_path: Path) -> str:
    """An editor that writes what lies in next-1, next-2, … one after the other."""
    script = tmp_path / "editor.sh"
    script.write_text('#!/bin/sh\ncd "$(dirname "$0")" && for n in 1 2 3; do\n'
                      '  if [ -e next-$n ]; then cp next-$n "$1" && rm next-$n && exit 0; fi\ndone\nexit 3\n')
    script.chmod(0o755)
    return str(script)


def test_an_edit_that_the_gate_denies_is_edited_again(at_terminal: Callable[..., Any], editor: str, home: Path,
                                                      tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text(PROGRAM)
    (tmp_path / "next-1").write_text(DENIED)
    (tmp_path / "next-2").write_text("n = 6 * 8\nprint(n)\n")
    terminal = at_terminal("exec", "p.py", "--approval", "always", EDITOR=editor)
    terminal.until("your decision")
    terminal.type("e\n")
    terminal.until("the gate denies the edited program")
    terminal.until("denied by no-shell")
    with RunStore(home) as store:
        run_id = store.find("last")
        assert store.pending(run_id) is not None, "a denied edit has decided"
    terminal.type("e\n")
    terminal.until("answered")
    assert terminal.ended() == 0
    with RunStore(home) as store:
        decision = store.questions(run_id)[0].decision
    assert decision is not None
    assert (decision.type, decision.program) == ("edit", "n = 6 * 8\nprint(n)\n")


def test_an_editor_that_fails_and_an_empty_reason_decide_nothing(at_terminal: Callable[..., Any], editor: str,
                                                                 tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text(PROGRAM)
    terminal = at_terminal("exec", "p.py", "--approval", "always", EDITOR=editor)
    terminal.until("your decision")
    terminal.type("e\n")
    terminal.until("gave nothing back")
    terminal.until("your decision")
    terminal.type("r\n")
    terminal.until("why not")
    terminal.type("  \n")
    terminal.until("nothing is decided")
    terminal.until("your decision")
    terminal.type("r\n")
    terminal.until("why not")
    terminal.type("not today\n")
    terminal.until("not today")
    assert terminal.ended() == 1


def test_left_for_later_it_waits(at_terminal: Callable[..., Any], home: Path, tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text(PROGRAM)
    terminal = at_terminal("exec", "p.py", "--approval", "always")
    terminal.until("your decision")
    terminal.type("\n")
    assert terminal.ended() == 3
    with RunStore(home) as store:
        assert store.get(store.find("last")).status == "waiting"


@pytest.mark.parametrize(("level", "told"), [
    ("none", "is told the goal, then what its programs print"), ("names", "the goal and the names and sizes"),
    ("schema", "the goal and a preview without values"), ("rows", "the goal and a preview with first rows")])
def test_what_leaves_the_machine_is_said_before_the_first_call(at_terminal: Callable[..., Any], tmp_path: Path, level: str,
                                                               told: str) -> None:
    sleeps = 2 if level == "rows" else 0
    (tmp_path / "d.csv").write_text("x\n1\n")
    (tmp_path / "replies.yml").write_text("version: 1\nentries:\n- purpose: program\n  reply: |\n    ```python\n"
                                          f"    import time\n    print('on' + 'e line')\n    time.sleep({sleeps})\n"
                                          "    final_answer(3)\n    ```\n")
    terminal = at_terminal("run", "count", "--input", "d.csv", "--model", "recording:replies.yml", "--preview", level,
                           COLUMNS="250")
    terminal.until(told)
    terminal.until("the rest of the files stays here")
    terminal.until("(a recording)")
    terminal.until("one line")
    since = time.monotonic()
    assert terminal.ended() == 0
    assert time.monotonic() - since > sleeps / 2, "what a program prints comes while it runs"


def test_identical_programs_are_approved_at_once(at_terminal: Callable[..., Any], home: Path, tmp_path: Path) -> None:
    (tmp_path / "replies.yml").write_text("version: 1\nentries:\n" + 2 * (
        "- purpose: program\n  reply: |\n    ```python\n    raise ValueError('no')\n    ```\n"))
    terminal = at_terminal("run", "try twice", "--model", "recording:replies.yml", "--approval", "always",
                           "--max-attempts", "2")
    terminal.until("your decision")
    terminal.type("i\n")
    terminal.ended()
    with RunStore(home) as store:
        run_id = store.find("last")
        decisions = [item.decision for item in store.questions(run_id)]
        started = [entry for entry in store.audit.entries(run_id) if entry["event"] == "program_started"]
    assert [decision.always_identical for decision in decisions if decision] == [True]
    assert len(started) == 2
