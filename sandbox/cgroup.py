"""A cgroup per sandbox, where this process may make one: memory and number of processes held by the kernel.

Version 1 (a folder per controller) and 2 (one folder). Below this process's own cgroup, so that limits above stay.
"""

import errno
import os
import time
from functools import cache
from pathlib import Path

from .owner import owner_is_dead

_ROOT = Path("/sys/fs/cgroup")
_PREFIX = "fumehood-"
_MIB = 1024 * 1024
_REMOVE_S = 2.0


@cache
def _places() -> dict[str, Path]:
    """Controller to the folder of this process's cgroup; empty where there is no usable hierarchy."""
    places: dict[str, Path] = {}
    try:
        lines = Path("/proc/self/cgroup").read_text("ascii", "replace").splitlines()
    except OSError:
        return {}
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers:
            for name in set(controllers.split(",")) & {"memory", "pids"}:
                places[name] = _ROOT / name / path.lstrip("/")
        elif (_ROOT / "cgroup.controllers").exists():
            folder = _ROOT / path.lstrip("/")
            enabled = _read(folder / "cgroup.subtree_control").split()
            places |= {name: folder for name in ("memory", "pids") if name in enabled}
    return {name: folder for name, folder in places.items() if folder.is_dir()}


@cache
def cgroup_held() -> frozenset[str]:
    """Which of `memory` and `pids` a cgroup can hold for this process: tried by making one, not assumed."""
    held = set()
    for name, folder in _places().items():
        probe = folder / f"{_PREFIX}probe-{os.getpid()}"
        try:
            probe.mkdir()
            control = {"memory": ("memory.max", "memory.limit_in_bytes"), "pids": ("pids.max",)}[name]
            if any(os.access(probe / file, os.W_OK) for file in control):
                held.add(name)
            probe.rmdir()
        except OSError:
            continue
    return frozenset(held)


class Cgroup:
    """The cgroup of one sandbox. Removed by `remove()`, or by a sweep after its owner died."""

    def __init__(self, name: str, owner: str) -> None:
        """Make it. Raises OSError."""
        label = owner.replace("/", "%")
        self._folders = {controller: _places()[controller] / f"{_PREFIX}{name}@{label}" for controller in cgroup_held()}
        for folder in set(self._folders.values()):
            folder.mkdir()

    def limit(self, *, memory_bytes: int, tasks: int) -> None:
        """Set both limits; no swap beside the memory. Raises OSError."""
        if "pids" in self._folders:
            (self._folders["pids"] / "pids.max").write_text(str(tasks))
        if "memory" not in self._folders:
            return
        folder = self._folders["memory"]
        if (folder / "memory.max").exists():
            (folder / "memory.max").write_text(str(memory_bytes))
            _write_if_there(folder / "memory.swap.max", "0")
            _write_if_there(folder / "memory.oom.group", "0")
        else:
            # The sum with swap may never be below the memory limit, so the order depends on the direction.
            sum_file = folder / "memory.memsw.limit_in_bytes"
            lower_first = sum_file.exists() and int(_read(sum_file)) > memory_bytes
            files = [folder / "memory.limit_in_bytes", sum_file]
            for file in files if lower_first else reversed(files):
                _write_if_there(file, str(memory_bytes))
            _write_if_there(folder / "memory.swappiness", "0")

    def add(self, pid: int) -> None:
        """Move a process in. Raises OSError."""
        for folder in set(self._folders.values()):
            (folder / "cgroup.procs").write_text(str(pid))

    def memory_used(self) -> int:
        folder = self._folders.get("memory")
        return 0 if folder is None else int(_read(folder / "memory.current") or _read(folder / "memory.usage_in_bytes") or 0)

    def memory_kills(self) -> int | None:
        """Processes that the kernel killed here for memory; None without a counter."""
        folder = self._folders.get("memory")
        if folder is None:
            return None
        for file in ("memory.events", "memory.oom_control"):
            for line in _read(folder / file).splitlines():
                if line.startswith("oom_kill "):
                    return int(line.split()[1])
        return None

    def forks_refused(self) -> int | None:
        """Processes and threads that the kernel did not start here because of the limit; None without a counter."""
        folder = self._folders.get("pids")
        return None if folder is None else _refused(folder)

    def effective(self) -> dict[str, float | str | None]:
        """The limits as the kernel's files have them."""
        found: dict[str, float | str | None] = {}
        if "memory" in self._folders:
            text = _read(self._folders["memory"] / "memory.max") or _read(self._folders["memory"] / "memory.limit_in_bytes")
            found["memory_mb"] = int(text) / _MIB if text.isdigit() else None
        if "pids" in self._folders:
            text = _read(self._folders["pids"] / "pids.max")
            found["tasks"] = int(text) if text.isdigit() else None
        return found

    def remove(self) -> None:
        """Remove it once its processes are gone; what is still busy after a while is left to a sweep."""
        until = time.monotonic() + _REMOVE_S
        for folder in set(self._folders.values()):
            while not _removed(folder) and time.monotonic() < until:
                time.sleep(0.01)


def _refused(folder: Path) -> int | None:
    for line in _read(folder / "pids.events").splitlines():
        if line.startswith("max "):
            return int(line.split()[1])
    return None


def sweep_cgroups() -> list[str]:
    """Remove the cgroups of sandboxes whose owners are dead; their names. Never one of a live owner."""
    removed = []
    for folder in set(_places().values()):
        for entry in folder.glob(f"{_PREFIX}*@*"):
            owner = entry.name.partition("@")[2].replace("%", "/")
            if owner_is_dead(owner) and _removed(entry):
                removed.append(entry.name)
    return removed


def _removed(folder: Path) -> bool:
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError as error:
        if error.errno in (errno.EBUSY, errno.EACCES, errno.EPERM):
            return False
        raise
    return True


def _read(path: Path) -> str:
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read(65536).decode("ascii", "replace").strip()
    except OSError:
        return ""


def _write_if_there(path: Path, value: str) -> None:
    if path.exists():
        path.write_text(value)
