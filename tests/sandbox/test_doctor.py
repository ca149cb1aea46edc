"""`doctor`'s trial of an engine: it says so when a wall is missing, and never takes an attacker's word alone."""

import dataclasses
import json
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from fumehood.sandbox.attacks import Attack, Scene, attacks
from fumehood.sandbox.docker import DockerEngine
from fumehood.sandbox.doctor import EngineReport, WallReport, _scene, _seen_by_the_host, diagnose
from fumehood.sandbox.engine import Capabilities, Engine, Launched, LaunchRequest
from fumehood.sandbox.errors import EngineUnavailable
from fumehood.sandbox.limits import Limits
from fumehood.sandbox.session import RunReport

if TYPE_CHECKING:
    from conftest import Bench, Walled

SCENE = Scene(canary_file="/c/f", canary_folder="/c", port=1, pid=1, processes=24, memory_mb=192, workspace_mb=16)


def test_every_wall_of_a_working_engine_holds(engine: Engine) -> None:
    report = diagnose([engine])[0]
    assert report.problem is None
    assert [wall for wall in report.walls if not wall.held] == []
    assert {wall.wall for wall in report.walls} == {attack.wall for attack in attacks(SCENE)}
    assert report.usable
    assert report.text().startswith(f"{engine.name}: works\n")
    assert report.runtime == engine.runtime()
    assert report.effective["memory_mb"] is not None
    json.dumps(report.model_dump(mode="json"))


def test_an_engine_that_is_not_there_says_why_and_what_to_do() -> None:
    report = diagnose([DockerEngine(url="unix:///nonexistent/docker.sock")])[0]
    assert not report.usable
    assert "/nonexistent/docker.sock" in report.text()


def fallen(report: RunReport, attack: Attack) -> str:
    problem = attack.judge(report, json.loads(report.delivered) if report.delivered else {})
    assert problem is not None, f"{attack.wall} held against a scene without it"
    return problem


@pytest.mark.parametrize(("wall", "scene", "told"), [
    ("files of the host: reading", {"canary_file": "/proc/self/status"}, "possible: a canary file"),
    ("files outside: writing", {"canary_folder": "/tmp/work"}, "possible: /tmp/work"),
    ("processes", {"processes": 8}, "processes were possible where 8 are the limit"),
    ("memory", {"memory_mb": 20}, "twice the memory limit could be used"),
    ("disk", {"workspace_mb": 4}, "twice the workspace's size could be written"),
])
def test_an_attack_succeeds_where_its_wall_is_missing(bench: "Bench", wall: str, scene: dict[str, Any], told: str) -> None:
    """The scene names something that lies inside, or a bound that is not the sandbox's: then the attack must get through."""
    if bench.engine.name == "landlock" and wall.startswith("files"):
        scene = {name: value.replace("/tmp/work", ".") for name, value in scene.items()}
        told = told.replace("/tmp/work", ".")
    attack = next(a for a in attacks(dataclasses.replace(SCENE, **scene)) if a.wall == wall)
    report = bench.run(attack.program, limits=Limits(memory_mb=512, processes=200, workspace_mb=64))
    assert told in fallen(report, attack)


@pytest.mark.parametrize(("wall", "without", "told"), [
    ("tracing", ("filter",), "trace me"), ("tracing", ("filter", "hidden"), "read the parent's memory"),
    ("namespaces and mounts", ("filter", "landlock"), "a user namespace"),
    ("memory that nobody counts", ("filter",), "memfd"), ("other ways out", ("filter",), "the kernel's routes"),
    ("other processes", ("hidden", "filter", "landlock"), "pipes of PID 1"),
])
def test_an_attack_on_the_runners_walls_succeeds_without_them(walled: "Walled", wall: str, without: tuple[str, ...],
                                                              told: str) -> None:
    attack = next(a for a in attacks(dataclasses.replace(SCENE, pid=999999)) if a.wall == wall)
    answer = "import json, sys\nfinal_answer = lambda value: print(json.dumps(value))\n"
    tried = json.loads(walled(answer + attack.program)["output"])
    assert "done" not in tried.values(), "with all walls up it is refused"
    tried = json.loads(walled(answer + attack.program, without=without)["output"])
    assert tried[told] == "done", tried


def test_what_the_host_saw_counts_more_than_what_an_attacker_tells(tmp_path: Path) -> None:
    with _scene(tmp_path) as (scene, listener):
        assert _seen_by_the_host(scene, listener) is None
        with socket.create_connection(("127.0.0.1", scene.port)):
            assert "arrived" in (_seen_by_the_host(scene, listener) or "")
        assert _seen_by_the_host(scene, listener) is None
        Path(scene.canary_file).write_text("changed")
        assert "changed" in (_seen_by_the_host(scene, listener) or "")
        Path(scene.canary_folder, "new").touch()
        assert "appeared" in (_seen_by_the_host(scene, listener) or "")


class _Unstartable:
    """An engine that says it works and cannot start anything."""

    name = "unstartable"
    local = True

    def unavailable(self) -> str | None:
        return None

    def capabilities(self) -> Capabilities:
        raise EngineUnavailable("no")

    def runtime(self) -> str:
        return "none"

    def packages(self) -> dict[str, str]:
        return {}

    def launch(self, request: LaunchRequest) -> Launched:
        raise EngineUnavailable("the engine broke while starting")


def test_an_engine_that_breaks_is_a_report() -> None:
    report = diagnose([_Unstartable()])[0]
    assert report.problem == "the engine broke while starting"
    assert not report.usable


def test_one_fallen_wall_makes_an_engine_unusable_and_is_named() -> None:
    report = EngineReport(engine="docker", python="3.11.2", start_s=0.1, walls=[
        WallReport(wall="network", held=True), WallReport(wall="memory", held=False, problem="twice the limit")])
    assert not report.usable
    assert "NOT SAFE" in report.text()
    assert "memory: twice the limit" in report.text()
