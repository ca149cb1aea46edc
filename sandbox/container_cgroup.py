"""A container's cgroup, seen from the host: limits as the kernel has them, and its counter of memory kills.

Version 1 and 2. Everything is null where the files cannot be seen from here (a remote daemon, a VM in between).
"""

import os
import signal
from contextlib import suppress
from pathlib import Path

_ROOT = Path("/sys/fs/cgroup")
_MIB = 1024 * 1024
_UNLIMITED = 1 << 60


class ContainerCgroup:
    """The cgroup of one running container."""

    def __init__(self, memory: Path, cpu: Path, pids: Path) -> None:
        self._memory, self._cpu, self._pids = memory, cpu, pids

    def memory_kills(self) -> int | None:
        """Processes of this cgroup that the kernel killed for memory, since it was made."""
        for name in ("memory.events", "memory.oom_control"):
            for line in _read(self._memory / name).splitlines():
                key, _, value = line.partition(" ")
                if key == "oom_kill":
                    return int(value)
        return None

    def forks_refused(self) -> int | None:
        """Processes and threads of this cgroup that the kernel did not start because of the limit."""
        for line in _read(self._pids / "pids.events").splitlines():
            if line.startswith("max "):
                return int(line.split()[1])
        return None

    def memory_used(self) -> int | None:
        """Bytes charged to it now."""
        used = _number(_read(self._memory / "memory.current") or _read(self._memory / "memory.usage_in_bytes"))
        return int(used) if used is not None else None

    def limit_memory(self, size: int) -> bool:
        """Set the limit in bytes, swap included, by writing the files; False where this user may not."""
        if (self._memory / "memory.max").exists():
            names = ["memory.max"]
        else:
            # The sum with swap may never be below the memory limit, so the order depends on the direction.
            names = ["memory.limit_in_bytes", "memory.memsw.limit_in_bytes"]
            before = _number(_read(self._memory / names[0]))
            if before is not None and size > before:
                names.reverse()
        try:
            for name in names:
                if (self._memory / name).exists():
                    (self._memory / name).write_text(str(size))
        except OSError:
            return False
        return True

    def limit_tasks(self, number: int) -> bool:
        """Set the limit of processes and threads; False where this user may not."""
        try:
            (self._pids / "pids.max").write_text(str(number))
        except OSError:
            return False
        return True

    def limits(self) -> dict[str, float | str | None]:
        """`memory_mb`, `swap_mb`, `tasks` (processes and threads) and `processors`; null where there is no limit."""
        return {"memory_mb": self._memory_mb("memory.max", "memory.limit_in_bytes"), "swap_mb": self._swap_mb(),
                "tasks": _number(_read(self._pids / "pids.max")), "processors": self._processors()}

    def _memory_mb(self, *names: str) -> float | None:
        for name in names:
            value = _number(_read(self._memory / name))
            if value is not None:
                return value / _MIB if value < _UNLIMITED else None
        return None

    def _swap_mb(self) -> float | None:
        if (self._memory / "memory.swap.max").exists():
            return self._memory_mb("memory.swap.max")
        both, memory = self._memory_mb("memory.memsw.limit_in_bytes"), self._memory_mb("memory.limit_in_bytes")
        return both - memory if both is not None and memory is not None else None

    def _processors(self) -> float | None:
        quota, _, period = _read(self._cpu / "cpu.max").partition(" ")
        quota = quota or _read(self._cpu / "cpu.cfs_quota_us")
        period = period or _read(self._cpu / "cpu.cfs_period_us")
        allowed, each = _number(quota), _number(period)
        return allowed / each if allowed is not None and each and allowed > 0 else None


def container_cgroup(container: str, pid: int) -> ContainerCgroup | None:
    """The cgroup of the container with this full id, whose first process the daemon says is `pid`."""
    groups = _groups(pid)
    if not groups or not any(container in path for path in groups.values()):
        return None  # another pid namespace: the number means somebody else here
    if "memory" in groups:
        places = [_ROOT / name / groups.get(name, groups["memory"]).lstrip("/") for name in ("memory", "cpu", "pids")]
    else:
        places = [_ROOT / groups.get("", "/").lstrip("/")] * 3
    return ContainerCgroup(*places) if places[0].is_dir() else None


def kill_container_processes(container: str) -> bool:
    """Kill what runs in the cgroup of this container, for when its daemon is gone. Whether anything was found.

    Needs the right to signal those processes, so mostly root; PermissionError otherwise.
    """
    found = False
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and any(container in path for path in _groups(int(entry.name)).values()):
            found = True
            with suppress(ProcessLookupError):
                os.kill(int(entry.name), signal.SIGKILL)
    return found


def _groups(pid: int) -> dict[str, str]:
    """Controller to path; the unified hierarchy under the empty name."""
    groups = {}
    for line in _read(Path(f"/proc/{pid}/cgroup")).splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            groups[controller] = path
    return groups


def _read(path: Path) -> str:
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read(65536).decode("ascii", "replace").strip()
    except OSError:
        return ""


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None  # "max", or no such file
