"""Ctrl-C as a terminal does it: SIGINT to the whole foreground process group of a real command."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from fumehood.graph.store import RunStore

ORPHANS = Path(__file__).resolve().parents[1] / "graph" / "orphans.py"
SLOW = "import time\nprint('begun', flush=True)\ntime.sleep(3)\nfinal_answer(42)\n"


@pytest.mark.parametrize("engine", ["bubblewrap", "landlock"])
@pytest.mark.parametrize("when", ["starting", "running"])
def test_ctrl_c_ends_a_run_that_resumes_in_the_same_engine(home: Path, tmp_path: Path, engine: str, when: str) -> None:
    (tmp_path / "p.py").write_text(SLOW)
    environment = {**os.environ, "FUMEHOOD_HOME": str(home), "FUMEHOOD_ENGINES": '["bubblewrap", "landlock"]'}
    command = [sys.executable, "-m", "fumehood.apps.cli"]
    report = tmp_path / "left.json"
    # The watcher is in the group too, as a shell is that ignores the signal.
    watched = subprocess.Popen(
        [sys.executable, str(ORPHANS), str(report), "10", *command, "exec", "p.py", "--engine", engine],
        cwd=tmp_path, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        start_new_session=True)
    assert watched.stderr is not None
    sign = b"begun" if when == "running" else f"in {engine}".encode()
    said = b""
    while sign not in said:
        piece = watched.stderr.read1(65536)  # type: ignore[attr-defined]
        assert piece, said.decode()
        said += piece
    since = time.monotonic()
    os.killpg(watched.pid, signal.SIGINT)
    out, err = watched.communicate(timeout=60)
    assert json.loads(report.read_text()) == [], "processes outlive the command"
    assert time.monotonic() - since < 10, "it hangs"
    assert watched.returncode == 1, (out, err)
    assert b"Traceback" not in err
    assert b"cancelled" in out
    with RunStore(home) as store:
        row, = store.list(limit=5)
        assert row.status == "interrupted"
        assert not [key for key, _ in store.effects(row.run_id) if key.startswith("run:")], "recorded as an execution"
    resumed = subprocess.run([*command, "resume", row.run_id, "--json"], cwd=tmp_path, env=environment, text=True,
                             capture_output=True, stdin=subprocess.DEVNULL, timeout=100)
    assert resumed.returncode == 0, (resumed.stdout, resumed.stderr)
    outcome = json.loads(resumed.stdout)
    assert (outcome["status"], outcome["result"], outcome["evidence"]["engine"]) == ("answered", 42, engine)
    assert outcome["engines_skipped"] == []
