"""kill -9 at the boundary of every node and inside every node of a real run, then go on: same end, nothing doubled.

The run passes through every node: its only attempt fails, the operator's fallback program answers, and a person approves
both. By default the telling moments of each node are tried, at its border and inside; FUMEHOOD_KILL_EVERYWHERE=1 tries each
one that there is.
"""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fumehood.graph.build import build_graph
from fumehood.graph.drive import Driver
from fumehood.graph.errors import StoreError
from fumehood.graph.settings import Settings
from fumehood.graph.store import RunStore

NODES = ("plan", "generate", "check_policy", "approve", "prepare", "run", "fall_back", "validate", "finish")
BORDER = re.compile(r"(?:after put|ends|after set_status|before record_outcome) #1")
INSIDE = re.compile(r"after effect .* #1|before _write_head \w+ #1|after (?:open|keep_program|decide|finish|engines) #1")
EVERYWHERE = os.environ.get("FUMEHOOD_KILL_EVERYWHERE") == "1"


class Killer:
    """Runs in one home, each in processes that are killed where it is said."""

    def __init__(self, home: Path, place: Path) -> None:
        self.home = home
        self._place = place
        self._said = (place / "stderr").open("w+")
        self._process = subprocess.Popen([sys.executable, str(Path(__file__).with_name("kill_run.py"))], text=True,
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._said)
        self._number = 0

    def drive(self, run_id: str, kill_at: str | None) -> int:
        """Start the run or go on with it, in a new process; its exit code, -9 when it was killed."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        order = {"home": str(self.home), "run_id": run_id, "kill_at": kill_at, "log": str(self._place / run_id)}
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        assert answer["code"] in (0, -9), (self._place / "stderr").read_text()
        assert answer["left"] == [], f"{kill_at}: still running"
        return int(answer["code"])

    def new_run(self) -> str:
        self._number += 1
        return f"killed-{self._number:04d}"

    def calls(self, run_id: str) -> Counter[str]:
        """Model calls by purpose, over all processes."""
        return Counter((self._place / run_id).read_text().split())

    def points(self, run_id: str) -> list[str]:
        return list(dict.fromkeys((self._place / f"{run_id}.points").read_text().splitlines()))

    def outcome(self, run_id: str) -> dict[str, Any]:
        document: dict[str, Any] = json.loads((self._place / f"{run_id}.outcome").read_text())
        return document

    def close(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()
        self._process.wait()
        self._said.close()


@pytest.fixture(scope="module")
def killer(tmp_path_factory: pytest.TempPathFactory, shared_environment: Path) -> Iterator[Killer]:
    place = tmp_path_factory.mktemp("killed")
    home = place / "home"
    home.mkdir()
    (home / "environments").symlink_to(shared_environment)
    killer = Killer(home, place)
    yield killer
    killer.close()


@pytest.fixture(scope="module")
def whole(killer: Killer) -> str:
    """A run that nobody kills."""
    run_id = killer.new_run()
    assert killer.drive(run_id, None) == 0
    assert killer.outcome(run_id)["result"] == {"n": 42}
    return run_id


def told(document: dict[str, Any]) -> dict[str, Any]:
    """An outcome without what differs from run to run: ids, times, measured amounts."""
    kept = ("status", "stop_reason", "message", "result", "shape_from", "explanation", "plan", "checks", "artifacts",
            "notes", "usage", "engines_skipped")
    attempts = [{**{name: item[name] for name in ("step", "number", "program", "program_sha256", "tree_sha256", "origin",
                                                  "verdict", "findings", "reason", "detail", "prose")},
                 **{name: (item["execution"] or {}).get(name) for name in ("outcome", "exit_code", "stdout", "stderr",
                                                                           "error")},
                 "written": [event["path"] for event in (item["evidence"] or {}).get("files_written", [])]}
                for item in document["attempts"]]
    return {**{name: document[name] for name in kept}, "attempts": attempts}


def noted(store: RunStore, run_id: str) -> Counter[tuple[str, str]]:
    """Audit lines that can be there once only, by event and name."""
    return Counter((entry["event"], entry["key"]) for entry in store.audit.entries(run_id) if "key" in entry)


def events(store: RunStore, run_id: str, event: str) -> Counter[int]:
    return Counter(entry["attempt"] for entry in store.audit.entries(run_id) if entry["event"] == event)


@pytest.mark.parametrize("node", ["driver", *NODES])
def test_a_run_that_was_killed_anywhere_ends_as_if_it_was_not(node: str, killer: Killer, whole: str) -> None:
    points = [point for point in killer.points(whole) if point.partition(":")[0] == node]
    chosen = points if EVERYWHERE else telling(node, points)
    for point in chosen:
        run_id = killer.new_run()
        assert killer.drive(run_id, point) == -9, f"{point}: passed in one run and not in the next"
        assert killer.drive(run_id, None) == 0, point
        check(killer, run_id, whole, point)


def test_no_node_is_left_out(killer: Killer, whole: str) -> None:
    assert set(NODES) == set(build_graph().nodes)
    assert {point.partition(":")[0] for point in killer.points(whole)} == {"driver", *NODES}


def telling(node: str, points: list[str]) -> list[str]:
    """For each node the moments at its border, and those inside at which most would be lost or doubled."""
    moments = {point: point.partition(": ")[2] for point in points}
    border = [point for point in points if BORDER.fullmatch(moments[point])]
    inside = [point for point in points if INSIDE.fullmatch(moments[point])]
    assert border, f"no kill would fall at the border of {node}"
    assert inside, f"no kill would fall inside of {node}"
    return [*border, *inside]


def check(killer: Killer, run_id: str, whole: str, point: str) -> None:
    assert told(killer.outcome(run_id)) == told(killer.outcome(whole)), point
    calls = killer.calls(run_id)
    assert calls - killer.calls(whole) <= Counter({"plan": 1}) or calls - killer.calls(whole) <= Counter({"program": 1})
    assert killer.calls(whole) - calls == Counter(), point
    with RunStore(killer.home) as store:
        assert store.audit.verify() is None, point
        assert [key for key, _ in store.effects(run_id)] == [key for key, _ in store.effects(whole)], point
        once, expected = noted(store, run_id), noted(store, whole)
        assert set(once.values()) == {1}, point
        assert Counter(event for event, _ in once) == Counter(event for event, _ in expected), point
        started, executed = (events(store, run_id, name) for name in ("program_started", "program_executed"))
        assert set(started) == set(executed) == {1, 2}, point
        assert sum(started.values()) <= 3, point
        decisions = [(item.decision.type if item.decision else None) for item in store.questions(run_id)]
        assert decisions == ["approve", "approve"], point
        assert store.get(run_id).status == "answered", point


def test_a_killed_run_reads_as_interrupted_and_is_not_restarted_by_looking(killer: Killer, whole: str) -> None:
    run_id = killer.new_run()
    assert killer.drive(run_id, "run: before run #1") == -9
    driver = Driver(Settings(home=str(killer.home), engines=["bubblewrap"]))
    try:
        store = driver.live.store
        assert store.get(run_id).status == "interrupted"
        assert driver.outcome(run_id).status == "interrupted"
        assert [row.status for row in store.list() if row.run_id == run_id] == ["interrupted"]
        assert [entry["event"] for entry in driver.timeline(run_id)][-1] == "program_started"
        assert events(store, run_id, "program_started") == Counter({1: 1})
    finally:
        driver.live.close()
        driver.live.store.close()
    assert killer.drive(run_id, None) == 0
    check(killer, run_id, whole, "run: before run #1")


def test_a_finished_run_is_not_resumed(killer: Killer, whole: str) -> None:
    driver = Driver(Settings(home=str(killer.home), engines=["bubblewrap"]))
    try:
        with pytest.raises(StoreError, match="finished"):
            driver.resume(whole)
        assert events(driver.live.store, whole, "program_started") == Counter({1: 1, 2: 1})
    finally:
        driver.live.close()
        driver.live.store.close()
