"""One running container: its pipes, its end, and what the kernel and the daemon say of it."""

import signal
import threading
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any

from docker.errors import APIError

from .attach import Attached
from .cgroup_files import CgroupFiles
from .container_cgroup import container_cgroup, kill_container_processes
from .engine import PROGRAM_FOLDER, SCRATCH
from .errors import EngineUnavailable
from .limits import Limits

if TYPE_CHECKING:
    from .docker import DockerEngine

_END_S = 5.0
_LATE_S = 3.0
_KILLED = 128 + signal.SIGKILL
_MIB = 1024 * 1024


class DockerSandbox:
    """One running container."""

    scratch = SCRATCH
    program_folder = PROGRAM_FOLDER

    def __init__(self, engine: "DockerEngine", container: str, attached: Attached, limits: Limits, tasks_beside: int,
                 ) -> None:
        """`tasks_beside`: what the container's limit of tasks leaves beside the program's."""
        self.id = container
        self.stdin: IO[bytes] = attached.stdin
        self.stdout: IO[bytes] = attached.stdout
        self._engine = engine
        self._attached = attached
        self._limits = limits
        self._tasks_beside = tasks_beside
        self._runner_memory: int | None = None
        self._lock = threading.RLock()
        self._cgroup: CgroupFiles | None = None
        self._looked = False
        self._kills: int | None = None
        self._out_of_memory: bool | None = None
        self._state: dict[str, Any] = {}
        self._effective: dict[str, float | str | None] = {}
        self._killed = self._closed = False

    def ready(self) -> None:
        """The runner is up: from now on the limit is the program's memory beside what the runner itself takes."""
        with self._lock:
            group = self._group()
            self._runner_memory = group.memory_used() if group else None
            self._limit()

    def lower(self, limits: Limits) -> None:
        with self._lock:
            if not limits.same_room(self._limits):
                self._limits = limits
                self._limit()

    def _limit(self) -> None:
        if self._runner_memory is None:
            return  # not to be seen from here: the room that every runner gets stays
        memory = self._limits.memory_mb * _MIB + self._runner_memory
        tasks = self._limits.processes + self._tasks_beside
        group = self._group()
        if group is None or not _limited(group, memory, tasks):
            with self._engine.daemon.errors("setting the limits"):
                # docker-py's own method knows no limit of processes, and its types not what that is made of.
                api: Any = self._engine.daemon.api()
                api._result(api._post_json(api._url("/containers/{0}/update", self.id),
                                           data={"Memory": memory, "MemorySwap": memory, "PidsLimit": tasks}), True)
        self._effective = {}

    def kill(self) -> None:
        """End every process of the container; works on local processes where the daemon is gone."""
        with self._lock:
            if self._killed:
                return
            self.out_of_memory()  # the counter goes with the cgroup
            self._killed = True
            self._attached.discard()
            api_failed = False
            try:
                with self._engine.daemon.errors("killing a container"):
                    self._engine.daemon.api().kill(self.id, "SIGKILL")
            except EngineUnavailable as error:
                # 404 and 409: it is gone or has ended. Anything else: the daemon cannot be asked.
                api_failed = not isinstance(error.__cause__, APIError)
            if api_failed and self._engine.local:
                self._kill_processes()

    def _kill_processes(self) -> None:
        with suppress(PermissionError):  # then the runner's own clock ends it
            kill_container_processes(self.id)

    def close(self) -> None:
        """Kill, read how it ended, remove."""
        with self._lock:
            if self._closed:
                return
            if self.out_of_memory() is None:
                # No counter to be seen from here: the daemon's record of the end has it, and goes with the container.
                self.kill()
                if self._attached.join(_END_S):
                    self._out_of_memory = self._inspect().get("State", {}).get("OOMKilled")
            self._killed = self._closed = True
            if self._cgroup is not None:
                self._cgroup.close()
            self._attached.discard()
            if not self._engine.remove(self.id) and self._engine.local:
                self._kill_processes()
            self._attached.close()

    def diagnose(self) -> str:
        """What the runner wrote to stderr, and the container's state in the daemon's words."""
        state = self._inspect().get("State", {})
        told = [self._attached.stderr()]
        if state:
            told.append(f"container {state.get('Status')}, exit code {state.get('ExitCode')}")
            if state.get("OOMKilled") or self._out_of_memory:
                told.append("its memory limit was hit")
            if state.get("Error"):
                told.append(str(state["Error"]))
        else:
            told.append(self._engine.daemon.unreachable() or "the container is gone")
        return "; ".join(part for part in told if part)

    def out_of_memory(self) -> bool | None:
        """By the cgroup's counter while the container lives, by the daemon's record of it afterwards."""
        with self._lock:
            if self._out_of_memory:
                return True
            if self.memory_kills():
                self._out_of_memory = True
            elif not self._closed:
                # A counter of 0 may be the last one seen: a limit that took the runner took the cgroup with it.
                if self._attached.join(0):
                    self._wait()
                state = self._inspect().get("State", {})
                if state and (not state.get("Running") or self._kills is not None):
                    self._out_of_memory = bool(state.get("OOMKilled")) or self._told_late(state)
            return self._out_of_memory

    def _told_late(self, state: dict[str, Any]) -> bool:
        """The daemon hears of an end and of the memory that caused it by two ways, and of the latter sometimes later."""
        if state.get("ExitCode") != _KILLED or self._killed:
            return False
        try:
            return self._engine.daemon.memory_limit_hit(self.id, within_s=_LATE_S)
        except EngineUnavailable:  # then nothing proves it
            return False

    def memory_kills(self) -> int | None:
        """Processes killed for memory so far, by the cgroup's counter; the last value seen once it is gone."""
        with self._lock:
            group = None if self._killed else self._group()
            kills = group.memory_kills() if group else None
            if kills is not None:
                self._kills = kills
            return self._kills

    def forks_refused(self) -> int | None:
        """By the cgroup's counter, while the container lives."""
        with self._lock:
            group = None if self._killed else self._group()
            return group.forks_refused() if group else None

    def effective(self) -> dict[str, float | str | None]:
        """Limits by the cgroup's files; where those cannot be seen, as the daemon recorded them (`seen_by`)."""
        with self._lock:
            if self._effective or self._closed:
                return self._effective
            group = self._group()
            if group is not None and (memory_mb := group.memory_mb()) is not None:
                self._effective = {"memory_mb": memory_mb, "swap_mb": group.swap_mb(), "tasks": group.tasks(),
                                   "processors": group.processors(), "seen_by": "cgroup"}
                return self._effective
            host = self._inspect().get("HostConfig", {})
            if host:
                memory, swap = host.get("Memory") or 0, host.get("MemorySwap") or 0
                self._effective = {
                    "memory_mb": memory / _MIB or None, "swap_mb": (swap - memory) / _MIB if swap > 0 else None,
                    "tasks": host.get("PidsLimit") or None, "processors": (host.get("NanoCpus") or 0) / 1e9 or None,
                    "seen_by": "daemon",
                }
            return self._effective

    def _group(self) -> CgroupFiles | None:
        if not self._looked and self._engine.local:
            self._looked = True
            pid = self._inspect().get("State", {}).get("Pid")
            self._cgroup = container_cgroup(self.id, pid) if pid else None
        return self._cgroup

    def _wait(self) -> None:
        """Its pipes are closed, so it has ended or is about to; the daemon may hear of it a little later."""
        with suppress(EngineUnavailable), self._engine.daemon.errors("waiting for a container"):
            self._engine.daemon.api(quick=True).wait(self.id)

    def _inspect(self) -> dict[str, Any]:
        """What the daemon says of the container now; empty where it does not know it or does not answer."""
        try:
            with self._engine.daemon.errors("asking about a container"):
                answer: dict[str, Any] = self._engine.daemon.api(quick=True).inspect_container(self.id)
        except EngineUnavailable:
            return {}
        return answer


def _limited(group: CgroupFiles, memory: int, tasks: int) -> bool:
    """Set the limits by the kernel's files; False where this user may not."""
    try:
        group.limit_memory(memory)
        group.limit_tasks(tasks)
    except OSError:
        return False
    return True
