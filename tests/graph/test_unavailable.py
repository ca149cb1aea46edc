"""Where no sandbox can be had, or not the first one: cases of level infra in tests/cases, each through the whole graph.

The run stops with its reason before any model call, or goes on in the next engine and says why; nothing is ever started
outside a sandbox, and no attempt is counted for what the host lacks.
"""

import json
import os
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from fumehood.graph.stop import StopReason
from fumehood.sandbox.bubblewrap import BubblewrapEngine
from fumehood.sandbox.daemon import Daemon
from fumehood.sandbox.docker import DockerEngine

CASES = {path.name[:3]: yaml.safe_load(path.read_text("utf-8"))
         for path in (Path(__file__).resolve().parents[1] / "cases").glob("07[4-7]_*.yml")}
WITHOUT_OVERRIDE = ["setpriv", "--inh-caps=-dac_override,-dac_read_search", "--bounding-set=-dac_override,-dac_read_search"]
"""Root opens any socket; without this it is a user like others."""


def stopped(bench: Any, outcome: Any, said: list[str]) -> None:
    assert outcome.stop_reason is StopReason.SANDBOX_UNAVAILABLE
    assert all(part.lower() in outcome.message.lower() for part in said), outcome.message
    assert [attempt for attempt in outcome.attempts if attempt.execution] == []
    assert bench.nodes == ["plan", "finish"]
    assert bench.chat.prompts["plan"] == bench.chat.prompts["program"] == []


@pytest.fixture
def silent(tmp_path: Path) -> Iterator[str]:
    """A socket that takes connections and never answers."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "hang.sock"))
        listening.listen(8)
        yield f"unix://{tmp_path}/hang.sock"


@pytest.fixture
def urls(silent: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.delenv("DOCKER_HOST", raising=False)
    return {"down": "unix:///nonexistent/docker.sock", "hang": silent, "missing": f"unix://{tmp_path}/none.sock"}


@pytest.mark.parametrize("kind", ["down", "missing", "hang"])
def test_074_each_cause_has_its_own_words(bench: Any, urls: dict[str, str], kind: str, tmp_path: Path,
                                          monkeypatch: pytest.MonkeyPatch) -> None:
    case = CASES["074"]
    programs = tmp_path / "bin"
    programs.mkdir()
    if kind == "down":
        (programs / "docker").write_text("#!/bin/sh\n")
        (programs / "docker").chmod(0o755)
    monkeypatch.setenv("PATH", str(programs))
    outcome = bench.run(case["input"]["model_replies"], parts={"engines": [DockerEngine(url=urls[kind], home=bench.home)]})
    stopped(bench, outcome, case["expect"]["fallback_forbidden"]["error_contains"][kind])


def test_074_denied_is_not_down(bench: Any, silent: str, tmp_path: Path) -> None:
    """In a process of its own, from which root's right to open everything is taken."""
    os.chmod(silent.removeprefix("unix://"), 0)
    (tmp_path / "p.py").write_text("print('ok')")
    without = WITHOUT_OVERRIDE if os.geteuid() == 0 else []
    done = subprocess.run([*without, sys.executable, "-m", "fumehood.apps.cli", "exec", "p.py", "--json"],
                          cwd=tmp_path, text=True, capture_output=True, check=False,
                          env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "FUMEHOOD_HOME": str(bench.home),
                               "FUMEHOOD_ENGINES": '["docker"]', "DOCKER_HOST": silent})
    assert done.returncode == 4, (done.stdout, done.stderr)
    outcome = json.loads(done.stdout)
    assert outcome["stop_reason"] == "sandbox_unavailable"
    assert "permission denied" in outcome["message"].lower()
    assert "start it" not in outcome["message"].lower(), "the daemon is not what is wrong"


@pytest.mark.parametrize("kind", ["down", "missing", "hang"])
def test_074_the_next_engine_takes_over_and_says_why(bench: Any, urls: dict[str, str], kind: str) -> None:
    expect = CASES["074"]["expect"]["fallback_allowed"]
    outcome = bench.run(CASES["074"]["input"]["model_replies"], parts={"engines": [
        DockerEngine(url=urls[kind], home=bench.home), BubblewrapEngine(home=bench.home)]})
    assert (outcome.status, outcome.evidence.engine) == (expect["status"], expect["engine"])
    assert outcome.attempts[-1].execution.stdout == expect["stdout"]
    (skipped,) = outcome.engines_skipped
    assert skipped.engine == "docker"
    assert "Docker" in skipped.why
    assert len(outcome.attempts) == 1


def daemon_or_skip() -> None:
    why = Daemon().unreachable()
    if why is None:
        return
    if "docker" in os.environ.get("FUMEHOOD_REQUIRE_ENGINES", "").split(","):
        pytest.fail(why)
    pytest.skip(why)


@pytest.mark.docker
def test_075_absent_image_is_named_and_never_pulled(bench: Any) -> None:
    daemon_or_skip()
    case = CASES["075"]
    image = case["input"]["config"]["image"]
    outcome = bench.run(case["input"]["model_replies"], parts={"engines": [DockerEngine(image=image, home=bench.home)]})
    stopped(bench, outcome, [*case["expect"]["error_contains"], "fumehood sandbox build", "docker load"])


@pytest.mark.docker
def test_076_no_folder_of_the_host_is_mounted(bench: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the case is about cannot happen: files are streamed to the runner, and no docker command is used."""
    engine = DockerEngine()
    if (why := engine.unavailable()) is not None:
        if "docker" in os.environ.get("FUMEHOOD_REQUIRE_ENGINES", "").split(","):
            pytest.fail(why)
        pytest.skip(why)
    wrapper = tmp_path / "bin" / "docker"
    wrapper.parent.mkdir()
    wrapper.write_text(f"#!/bin/sh\ntouch {tmp_path}/called\nexit 1\n")
    wrapper.chmod(wrapper.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{wrapper.parent}:{os.environ['PATH']}")
    given = CASES["076"]["input"]
    files = {item["path"]: item["content"].encode() for item in given["files"]}
    outcome = bench.run(given["model_replies"], files=files, parts={"engines": [engine]})
    assert outcome.attempts[0].execution.stdout == "5\n"
    assert len(bench.chat.prompts["program"]) == 1
    assert not (tmp_path / "called").exists()


def test_077_namespaces_forbidden(bench: Any, tmp_path: Path) -> None:
    case = CASES["077"]
    bwrap = tmp_path / "bwrap"
    bwrap.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n")
    bwrap.chmod(0o755)
    outcome = bench.run(case["input"]["model_replies"]["A"],
                        parts={"engines": [BubblewrapEngine(home=bench.home, bwrap=bwrap)]})
    stopped(bench, outcome, [*case["expect"]["A"]["error_contains"], "user namespaces"])


def test_077_the_same_words_from_a_program_are_its_own(bench: Any) -> None:
    case = CASES["077"]
    outcome = bench.run(case["input"]["model_replies"]["B"])
    assert outcome.status == "answered"
    assert [attempt.reason or "ok" for attempt in outcome.attempts] == case["expect"]["B"]["attempts"]
    assert outcome.engines_skipped == []


def test_no_bwrap_at_all(bench: Any, tmp_path: Path) -> None:
    outcome = bench.run([], parts={"engines": [BubblewrapEngine(home=bench.home, bwrap=tmp_path / "none")]})
    stopped(bench, outcome, ["bwrap", str(tmp_path / "none")])


def test_no_environment(bench: Any, tmp_path: Path) -> None:
    outcome = bench.run([], parts={"engines": [BubblewrapEngine(home=tmp_path)]})
    stopped(bench, outcome, ["fumehood sandbox build"])
