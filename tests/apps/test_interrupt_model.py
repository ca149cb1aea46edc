"""Ctrl-C while a model server keeps the run waiting, over real HTTP: it ends at once, lets the server go, and resumes."""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from fumehood.graph.store import RunStore

_spec = importlib.util.spec_from_file_location(
    "scripted_server", Path(__file__).resolve().parents[1] / "graph" / "scripted_server.py")
assert _spec is not None
assert _spec.loader is not None
srv: Any = importlib.util.module_from_spec(_spec)
sys.modules["scripted_server"] = srv
_spec.loader.exec_module(srv)

COMMAND = [sys.executable, "-m", "fumehood.apps.cli"]
PROGRAM = srv.say("```python\nfinal_answer(42)\n```")


def until(seen: Any, seconds: float = 40.0) -> bool:
    """Whether it came true in time; waits are bounded and decide nothing else."""
    end = time.monotonic() + seconds
    while not seen() and time.monotonic() < end:
        time.sleep(0.05)
    return bool(seen())


@pytest.mark.parametrize("act", [srv.hang(300), srv.drip(), srv.fail(503, "busy", headers={"Retry-After": "100"})],
                         ids=["silent", "dripping", "asked to wait"])
def test_ctrl_c_does_not_wait_for_the_model(home: Path, tmp_path: Path, act: Any) -> None:
    with srv.serving(act) as script:
        environment = {**os.environ, "FUMEHOOD_HOME": str(home), "FUMEHOOD_ENGINES": '["bubblewrap"]',
                       "OPENAI_BASE_URL": script.url, "OPENAI_API_KEY": "sk-test-1234567890abcdef"}
        started = subprocess.Popen([*COMMAND, "run", "what is six times seven", "--model", "openai:scripted-1"],
                                   cwd=tmp_path, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, start_new_session=True)
        assert until(lambda: script.requests), "the model was never asked"
        since = time.monotonic()
        os.killpg(started.pid, signal.SIGINT)
        out, err = started.communicate(timeout=60)
        assert time.monotonic() - since < 10, "it waits for the model"
        assert started.returncode == 1, (out, err)
        assert b"Traceback" not in err
        assert b"cancelled" in out
        with RunStore(home) as store:
            row, = store.list(limit=5)
            assert row.status == "interrupted"
            assert [key for key, _ in store.effects(row.run_id) if key.startswith("model:")] == []
        script.acts[:] = [srv.say(json.dumps({"steps": ["multiply"], "needs_code": True, "imports": []})), PROGRAM]
        resumed = subprocess.run([*COMMAND, "resume", row.run_id, "--json"], cwd=tmp_path, env=environment, text=True,
                                 capture_output=True, stdin=subprocess.DEVNULL, timeout=200)
        assert resumed.returncode == 0, (resumed.stdout, resumed.stderr)
        assert json.loads(resumed.stdout)["result"] == 42
