"""Cases of waiting, killed and resumed runs, each step in a process of its own through the real command line.

The cases in tests/cases are read as they are; their steps are prose, so each has its test here. Where the design wins over
a case's words it is said at the test.
"""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from fumehood.graph.settings import Settings
from fumehood.graph.store import RunStore

CASES = Path(__file__).resolve().parents[1] / "cases"
ORPHANS = Path(__file__).resolve().parents[1] / "graph" / "orphans.py"


def case(number: str) -> dict[str, Any]:
    path, = CASES.glob(f"{number}_*.yml")
    found: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    return found


class Shell:
    """One home, one recording; each call is a new process."""

    def __init__(self, home: Path, folder: Path, replies: list[str], **settings: str) -> None:
        self.home = home
        self.folder = folder
        self.recording = folder / "replies.yml"
        self.recording.write_text(yaml.safe_dump({"version": 1, "entries": [
            {"purpose": "program", "reply": {"text": reply}} for reply in replies]}))
        self.environment = {**os.environ, "FUMEHOOD_HOME": str(home), "FUMEHOOD_MODEL": f"recording:{self.recording}",
                            "FUMEHOOD_ENGINES": '["bubblewrap"]', **settings}

    def start(self, *words: object) -> subprocess.Popen[str]:
        return subprocess.Popen([sys.executable, "-m", "fumehood.apps.cli", *map(str, words)], text=True,
                                cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def call(self, *words: object) -> tuple[int, Any]:
        """Exit code and the one JSON document on stdout."""
        process = self.start(*words, "--json")
        out, err = process.communicate(timeout=600)
        assert out.strip(), err
        return process.returncode, json.loads(out)

    def events(self, run_id: str, event: str | None = None) -> list[dict[str, Any]]:
        with RunStore(self.home) as store:
            assert store.audit.verify() is None
            return [entry for entry in store.audit.entries(run_id) if event in (None, entry["event"])]

    def counts(self, run_id: str) -> dict[str, int]:
        return {"generate_calls": sum(entry["purpose"] == "program" for entry in self.events(run_id, "model_called")),
                "plan_calls": sum(entry["purpose"] == "plan" for entry in self.events(run_id, "model_called")),
                "policy_checks": len(self.events(run_id, "program_judged")),
                "executions": len(self.events(run_id, "program_executed")),
                "approvals_asked": len(self.events(run_id, "approval_requested"))}


@pytest.fixture
def shell(home: Path, tmp_path: Path) -> Callable[..., Shell]:
    folder = tmp_path / "work"
    folder.mkdir()
    return lambda replies, **settings: Shell(home, folder, replies, **settings)


def until(condition: Callable[[], bool], said: str, seconds: float = 300.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, said
        time.sleep(0.02)


def kill(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGKILL)
    process.communicate()


def test_017_nul_in_the_output_survives_a_kill_and_a_resume(shell: Callable[..., Shell]) -> None:
    given = case("017")
    here = shell(given["input"]["model_replies"])
    code, waiting = here.call("run", "case 017", "--approval", "always")
    assert (code, waiting["status"]) == (3, "waiting")
    run_id = waiting["run_id"]
    approving = here.start("approve", run_id)
    until(lambda: len([entry for entry in here.events(run_id) if entry["event"] == "approval_requested"]) == 2,
          "the second program is never asked about")
    kill(approving)
    code, done = here.call("approve", run_id)
    expect = given["expect"]
    assert (code, done["status"]) == (0, expect["status"])
    assert [attempt["reason"] or "ok" for attempt in done["attempts"]] == expect["attempts"]
    assert done["attempts"][0]["execution"]["stdout"] == expect["stdout_of_attempt_1"]
    assert done["attempts"][1]["execution"]["stdout"] == expect["final_stdout"]
    assert here.counts(run_id)["executions"] == 2
    for line in (here.home / "audit.jsonl").read_bytes().splitlines():
        json.loads(line)
    from fumehood.graph.drive import Driver

    driver = Driver(Settings(home=str(here.home)))
    told = driver.history(run_id)[-1].values["messages"]
    driver.live.store.close()
    assert not any("\0" in message.content for message in told)
    assert all(word in told[-2].content for word in expect["feedback_contains"])


def test_062_an_approval_repeats_nothing_before_it(shell: Callable[..., Shell]) -> None:
    given = case("062")
    here = shell(given["input"]["model_replies"])
    _, waiting = here.call("run", "case 062", "--approval", "always")
    run_id, expect = waiting["run_id"], given["expect"]
    before = expect["after_start"]
    assert waiting["status"] == before["status"]
    assert before.items() - {("status", "waiting")} <= here.counts(run_id).items()
    _, done = here.call("approve", run_id)
    after = expect["after_approve"]
    assert done["status"] == after["status"]
    assert done["attempts"][-1]["execution"]["stdout"] == after["stdout"]
    assert {name: after[name] for name in ("generate_calls", "policy_checks", "executions")}.items() <= here.counts(
        run_id).items()
    _, again = here.call("show", run_id)
    assert (again["status"], again["attempts"]) == (done["status"], done["attempts"])
    # The case's words for the events, in ours.
    once = {"generated": ("model_called", {"purpose": "program"}), "policy_checked": ("program_judged", {}),
            "approval_requested": ("approval_requested", {}), "approved": ("approval_decided", {"decision": "approve"}),
            "executed": ("program_executed", {}), "validated": ("output_validated", {})}
    for name in expect["audit_events_once_each"]:
        event, fields = once[name]
        assert len([entry for entry in here.events(run_id, event) if fields.items() <= entry.items()]) == 1, name


@pytest.mark.parametrize("variant", ["A", "B", "C", "D"])
def test_064_what_runs_is_what_was_shown(shell: Callable[..., Shell], variant: str) -> None:
    given = case("064")
    # `import helper` is no import of the profile, so the input is read as data; the case's point is what was shown.
    program = "```python\nprint(open('helper.py').read().split(\"'\")[1])\n```"
    here = shell([program])
    for item in given["input"]["files"]:
        (here.folder / item["path"]).write_text(item["content"])
    _, waiting = here.call("run", "case 064", "--approval", "always", "--input", "helper.py", "--input", "data.csv")
    run_id, expect = waiting["run_id"], given["expect"][variant]
    kept = here.home / "runs" / run_id / waiting["attempts"][0]["program"]
    words: list[object] = ["approve", run_id]
    if variant == "A":
        (here.folder / "helper.py").write_text("VALUE = 'changed'\n")
    elif variant == "B":
        kept.write_text("print('changed')\n")
    elif variant == "D":
        (here.folder / "edited.py").write_text("print('edited')\n")
        words += ["--edit", "edited.py"]
    code, after = here.call(*words)
    assert after["status"] == expect["status"]
    if "stop_reason" in expect:
        assert (code, after["stop_reason"]) == (3, expect["stop_reason"])
        assert here.counts(run_id)["executions"] == expect["executions"]
        assert "changed" in here.events(run_id, "approval_decided")[0]["decision"] + after["message"]
        _, after = here.call("approve", run_id)
        shown = "changed" if variant == "A" else "benign"
        assert (after["status"], after["attempts"][-1]["execution"]["stdout"]) == ("answered", f"{shown}\n")
        assert here.counts(run_id)["executions"] == 1
        return
    assert after["attempts"][-1]["execution"]["stdout"] == expect["stdout"]
    if variant == "D":
        assert here.counts(run_id)["policy_checks"] == expect["policy_checks"]
        decided, = here.events(run_id, "approval_decided")
        judged = [entry["program_sha256"] for entry in here.events(run_id, "program_judged")]
        assert decided["by"]
        assert decided["edited_sha256"] == judged[1] == after["attempts"][-1]["program_sha256"]
        assert judged[0] != judged[1]


def test_065_a_declined_program_is_not_asked_again(shell: Callable[..., Shell]) -> None:
    # In the design `reject` ends the run (`approval_rejected`), and `respond` sends the model on: the case is `respond`.
    given = case("065")
    expect = given["expect"]
    here = shell(given["input"]["model_replies"])
    _, waiting = here.call("run", "case 065", "--approval", "always", "--max-attempts", 4)
    run_id = waiting["run_id"]
    _, again = here.call("respond", run_id, "rejected: must not touch the reports folder")
    assert again["status"] == "waiting"
    assert "stays inside" in here.call("show", run_id)[1]["question"]["action_requests"][0]["args"]["program"]
    _, done = here.call("approve", run_id)
    assert done["status"] == expect["final"]["status"]
    assert done["attempts"][-1]["execution"]["stdout"] == expect["final"]["stdout"]
    counts = here.counts(run_id)
    assert counts["executions"] == expect["final"]["executions"]
    assert counts["approvals_asked"] == expect["final"]["approvals_asked"]
    assert [attempt["reason"] for attempt in done["attempts"]] == ["approval_rejected", "approval_rejected", None]
    from fumehood.graph.drive import Driver

    driver = Driver(Settings(home=str(here.home)))
    told = "\n".join(message.content for message in driver.history(run_id)[-1].values["messages"])
    driver.live.store.close()
    assert all(words in told for words in expect["feedback_contains"])
    assert "already rejected" in told


def test_065_a_rejection_ends_the_run_with_its_reason(shell: Callable[..., Shell]) -> None:
    here = shell(case("065")["input"]["model_replies"])
    _, waiting = here.call("run", "case 065", "--approval", "always")
    code, done = here.call("reject", waiting["run_id"], "must not touch the reports folder")
    assert (code, done["status"], done["stop_reason"]) == (1, "stopped", "approval_rejected")
    assert "must not touch the reports folder" in done["message"]
    assert here.counts(waiting["run_id"])["executions"] == 0


def test_067_a_run_waits_across_processes(shell: Callable[..., Shell]) -> None:
    given = case("067")
    expect = given["expect"]
    here = shell(given["input"]["model_replies"])
    _, started = here.call("run", "case 067", "--approval", "always")
    run_id = started["run_id"]
    _, listed = here.call("runs", "--waiting")
    assert [row["status"] for row in listed] == [expect["process_2_list"]["status"]]
    assert "print('first')" in listed[0]["program"]
    _, second = here.call("approve", run_id)
    assert second["status"] == "waiting"
    _, third = here.call("approve", run_id)
    assert third["status"] == expect["process_3"]["status"]
    assert third["attempts"][-1]["execution"]["stdout"] == expect["process_3"]["stdout"]
    code, fourth = here.call("approve", run_id)
    assert code == 2
    assert all(word in json.dumps(fourth) for word in expect["process_4"]["error_contains"])
    counts = here.counts(run_id)
    assert {name: counts[name] for name in ("generate_calls", "executions")} == {
        name: expect["totals"][name] for name in ("generate_calls", "executions")}
    assert counts["plan_calls"] <= expect["totals"]["plan_calls"]
    code, unknown = here.call("approve", "nowhere")
    assert code != 0
    assert all(word in json.dumps(unknown) for word in expect["unknown_id"]["error_contains"])


def sleeping(seconds: int) -> str:
    """The reply of case 068 with an output that ends the run, and sleeps so short that the default policy lets them pass."""
    program = case("068")["input"]["model_replies"][0].replace(
        "time.sleep(120)", f"for _ in range({seconds}):\n    time.sleep(1)")
    return re.sub(r"\n```\s*$", "\nprint('done')\n```", program)


class Watched:
    """A run of case 068 in a process of its own, and what it leaves behind."""

    def __init__(self, here: Shell) -> None:
        self._report = here.folder / "left.json"
        # Above 120 s the default policy wants a person; the case's 150 s only have to outlive the test.
        self._process = subprocess.Popen(
            [sys.executable, str(ORPHANS), str(self._report), "15", sys.executable, "-m", "fumehood.apps.cli", "run",
             "case 068", "--timeout", "115", "--quiet", "--json"],
            cwd=here.folder, env=here.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        with RunStore(here.home) as store:
            until(lambda: any(entry["event"] == "program_started" for entry in store.audit.entries()), "nothing runs")
            self.run_id: str = next(entry["run_id"] for entry in store.audit.entries())
        # Inside the sandbox now, beyond what a host can see without asking it.
        time.sleep(3.0)

    def end(self, how: signal.Signals) -> tuple[int, list[str]]:
        """Exit code of the agent (128 + signal), command lines of what outlives it by 15 s."""
        os.kill(int(self._report.with_name("left.json.pid").read_text()), how)
        code = self._process.wait(timeout=300)
        left: list[str] = json.loads(self._report.read_text())
        return code, left


def test_068_a_killed_agent_leaves_no_sandbox_and_no_running_run(shell: Callable[..., Shell]) -> None:
    given = case("068")
    expect = given["expect"]
    # The program of the case would sleep for two minutes again when it is resumed; here its end is waited for.
    here = shell([sleeping(6)])
    run = Watched(here)
    assert run.end(signal.SIGKILL) == (128 + 9, []), f"after {expect['within_s_after_restart']} s"
    run_id = run.run_id
    _, listed = here.call("runs")
    assert [row["status"] for row in listed] == ["interrupted"]
    _, shown = here.call("show", run_id)
    assert shown["status"] == "interrupted"
    assert here.counts(run_id)["executions"] == 0
    time.sleep(6.5)
    assert not list((here.home / "runs" / run_id).rglob("late")), "the program went on after the kill"
    assert len(here.events(run_id, "program_started")) == 1, "looking at it started it again"
    _, done = here.call("resume", run_id)
    assert done["status"] == "answered"
    assert [entry["attempt"] for entry in here.events(run_id, "program_started")] == [1, 1]
    assert len(here.events(run_id, "program_executed")) == 1
    assert len(done["attempts"]) == 1


def test_068_ctrl_c_ends_the_sandbox_and_the_run_can_go_on(shell: Callable[..., Shell]) -> None:
    given = case("068")
    here = shell([sleeping(12)])
    run = Watched(here)
    since = time.monotonic()
    _, left = run.end(signal.SIGINT)
    assert left == []
    assert time.monotonic() - since < given["expect"]["ctrl_c_variant"]["exit_within_s"]
    with RunStore(here.home) as store:
        assert store.get(run.run_id).status == "interrupted"
        assert [key for key, _ in store.effects(run.run_id) if key.startswith("run:")] == [], "recorded as an execution"
    _, done = here.call("resume", run.run_id)
    assert (done["status"], here.counts(run.run_id)["executions"]) == ("answered", 1)
