"""Whole runs whose checkpoints, questions and effects lie in PostgreSQL: decided at once by two, killed, gone on with."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fumehood.graph.store import RunStore

Start = Callable[..., "subprocess.Popen[str]"]
PROGRAM = "import time\nfor _ in range({seconds}):\n    time.sleep(1)\nfinal_answer({{'n': 42}})\n"


@pytest.fixture
def start(home: Path, tmp_path: Path, postgres_url: str) -> Start:
    environment = {**os.environ, "FUMEHOOD_HOME": str(home), "FUMEHOOD_ENGINES": '["bubblewrap"]',
                   "FUMEHOOD_DATABASE_URL": postgres_url}

    def begin(*words: str) -> "subprocess.Popen[str]":
        return subprocess.Popen([sys.executable, "-m", "fumehood.apps.cli", *words, "--json"], cwd=tmp_path, text=True,
                                env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    return begin


def ended(process: "subprocess.Popen[str]") -> tuple[int, Any]:
    out, err = process.communicate(timeout=300)
    assert out.strip(), err
    return process.returncode, json.loads(out)


def test_of_two_who_decide_at_once_one_is_refused_and_it_runs_once(start: Start, home: Path, tmp_path: Path,
                                                                   postgres_url: str) -> None:
    (tmp_path / "p.py").write_text(PROGRAM.format(seconds=0))
    code, waiting = ended(start("exec", "p.py", "--approval", "always"))
    assert (code, waiting["status"]) == (3, "waiting")
    run_id = waiting["run_id"]
    both = [ended(process) for process in [start("approve", run_id), start("reject", run_id, "no")]]
    refused, = (document["error"] for code, document in both if code == 2)
    assert "already decided" in refused
    done, = (document for code, document in both if code != 2)
    with RunStore(home, postgres_url) as store:
        assert store.audit.verify() is None
        decision = store.questions(run_id)[0].decision
        events = Counter(entry["event"] for entry in store.audit.entries(run_id))
    assert decision is not None
    assert done["status"] == {"approve": "answered", "reject": "stopped"}[decision.type]
    assert events["program_started"] == (decision.type == "approve")
    assert not (home / "checkpoints.sqlite").exists()


def test_a_killed_run_goes_on_in_another_process(start: Start, home: Path, tmp_path: Path, postgres_url: str) -> None:
    (tmp_path / "p.py").write_text(PROGRAM.format(seconds=3))
    running = start("exec", "p.py", "--timeout", "60")
    with RunStore(home, postgres_url) as store:
        deadline = time.monotonic() + 240
        while not (started := [entry for entry in store.audit.entries() if entry["event"] == "program_started"]):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        running.send_signal(signal.SIGKILL)
        running.communicate()
        run_id = started[0]["run_id"]
        code, done = ended(start("resume", run_id))
        assert (code, done["result"]) == (0, {"n": 42})
        assert store.audit.verify() is None
        events = Counter(entry["event"] for entry in store.audit.entries(run_id))
    assert (events["program_started"], events["program_executed"], events["run_finished"]) == (2, 1, 1)
