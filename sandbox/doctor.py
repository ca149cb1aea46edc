"""Trying engines out: can each be used here, does a program run, does every wall hold, how strong is it."""

import json
import os
import socket
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from .attacks import Attack, Scene, attacks
from .engine import Capabilities, Engine
from .errors import SandboxError
from .limits import Limits
from .manifest import Manifest
from .session import Session

_LIMITS = Limits(wall_s=30, cpu_s=30, memory_mb=192, processes=24, workspace_mb=16, files=256)
_CANARY = "import sys\nprint('alive')\nfinal_answer({'python': sys.version.split()[0], 'sum': sum(range(10))})\n"


class WallReport(BaseModel):
    """One wall, attacked."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    wall: str
    held: bool
    problem: str | None = None
    """What was possible, or why it is not settled; null where it held."""


class EngineReport(BaseModel):
    """One engine, tried."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    engine: str
    problem: str | None = None
    """Why it cannot be used here and what to do; null where a program ran."""
    python: str | None = None
    runtime: str | None = None
    start_s: float | None = None
    """Seconds from nothing to the canary program's answer."""
    walls: list[WallReport] = []
    capabilities: Capabilities | None = None
    effective: dict[str, float | str | None] = {}
    """Limits of the canary program as read back from the kernel."""

    @property
    def usable(self) -> bool:
        """A program ran and every wall held."""
        return self.problem is None and bool(self.walls) and all(wall.held for wall in self.walls)

    def strength(self) -> str:
        """What stands between a program and the host, in words."""
        held = self.capabilities
        if held is None:
            return "unknown"
        if held.foreign_kernel:
            wall = "a kernel of its own"
        elif held.pid_namespace and held.mount_namespace:
            wall = "namespaces"
        else:
            wall = "Landlock and a system call filter, no namespaces"
        hard = [name for name in ("memory", "processes", "disk", "cpu") if getattr(held, name) == "hard"]
        limits = f"{', '.join(hard)} held by the kernel" if hard else "all limits held by rlimits and the runner's watch"
        return f"{wall}; {limits}; witness in the {held.witness}"

    def text(self) -> str:
        """For a person: the verdict in the first line, what stands behind it below."""
        if self.problem is not None:
            return f"{self.engine}: cannot be used\n{self.problem}"
        fallen = [wall for wall in self.walls if not wall.held]
        head = f"{self.engine}: works" if self.usable else f"{self.engine}: NOT SAFE, {len(fallen)} of its walls fell"
        lines = [head, self.strength(), f"Python {self.python}, first answer after {self.start_s:.2f} s, "
                 f"{len(self.walls) - len(fallen)} of {len(self.walls)} walls held"]
        lines += [f"fell: {wall.wall}: {wall.problem}" for wall in fallen]
        lines += [f"lacks: {lack}" for lack in (self.capabilities.lacks if self.capabilities else [])]
        return "\n".join(lines)


def diagnose(engines: Iterable[Engine]) -> list[EngineReport]:
    """Try every engine with a canary program and one attack per wall. An engine that breaks is a report, no exception."""
    return [_diagnose(engine) for engine in engines]


def _diagnose(engine: Engine) -> EngineReport:
    reason = engine.unavailable()
    if reason is not None:
        return EngineReport(engine=engine.name, problem=reason)
    with tempfile.TemporaryDirectory(prefix="fumehood-doctor-") as scratch, _scene(Path(scratch)) as (scene, reached):
        try:
            return _try(engine, Path(scratch), scene, reached)
        except SandboxError as error:
            return EngineReport(engine=engine.name, problem=str(error))


def _try(engine: Engine, scratch: Path, scene: Scene, reached: socket.socket) -> EngineReport:
    begin = time.monotonic()
    with Session.open(engine, limits=_LIMITS, manifest=Manifest(), run_id="doctor") as session:
        canary = session.run(_CANARY, folder=scratch / "canary")
        start_s = time.monotonic() - begin
        told = json.loads(canary.delivered or "{}")
        if canary.execution.outcome != "completed" or told.get("sum") != 45 or canary.execution.stdout != "alive\n":
            return EngineReport(engine=engine.name, problem=f"the canary program did not run: {canary.execution.message} "
                                                            f"{canary.execution.stderr[-300:]}")
        walls = []
        for number, attack in enumerate(attacks(scene)):
            walls.append(_attacked(session, attack, scratch / f"attack-{number}", scene, reached))
    return EngineReport(engine=engine.name, python=told["python"], runtime=engine.runtime(), start_s=round(start_s, 3),
                        walls=walls, capabilities=engine.capabilities(), effective=canary.evidence.limits.effective)


def _attacked(session: Session, attack: Attack, folder: Path, scene: Scene, reached: socket.socket) -> WallReport:
    report = session.run(attack.program, folder=folder)
    told = json.loads(report.delivered) if report.delivered else {}
    problem = attack.judge(report, told) or _seen_by_the_host(scene, reached)
    return WallReport(wall=attack.wall, held=problem is None, problem=problem)


def _seen_by_the_host(scene: Scene, reached: socket.socket) -> str | None:
    """What an attack did out here, whatever it tells of itself."""
    if [entry.name for entry in Path(scene.canary_folder).iterdir()] != [Path(scene.canary_file).name]:
        return "a file appeared in a folder of the host"
    if Path(scene.canary_file).read_text() != "canary":
        return "a file of the host was changed"
    try:
        reached.accept()[0].close()
    except BlockingIOError:
        return None
    return "a connection arrived at the host's loopback"


@contextmanager
def _scene(scratch: Path) -> Iterator[tuple[Scene, socket.socket]]:
    folder = scratch / "host"
    folder.mkdir()
    canary = folder / "canary.txt"
    canary.write_text("canary")
    for path in (scratch, folder):
        path.chmod(0o777)  # only the sandbox's walls may be in the way, not this user's rights
    canary.chmod(0o666)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        yield Scene(canary_file=str(canary), canary_folder=str(folder), port=listener.getsockname()[1], pid=os.getpid(),
                    processes=_LIMITS.processes, memory_mb=_LIMITS.memory_mb, workspace_mb=_LIMITS.workspace_mb), listener
