"""A cgroup per sandbox, where this process may make one: memory and number of processes held by the kernel.

Version 1 (a folder per controller) and 2 (one folder). Below this process's own cgroup, so that limits above stay.
"""

import errno
import os
import time
from functools import cache
from pathlib import Path

from .cgroup_files import CgroupFiles
from .owner import owner_is_dead

_ROOT = Path("/sys/fs/cgroup")
_PREFIX = "fumehood-"
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
        self.files = CgroupFiles(self._folders)

    def limit(self, *, memory_bytes: int, tasks: int) -> None:
        """Set both limits; no swap beside the memory. Raises OSError."""
        self.files.limit_tasks(tasks)
        self.files.limit_memory(memory_bytes)

    def add(self, pid: int) -> None:
        """Move a process in. Raises OSError."""
        for folder in set(self._folders.values()):
            (folder / "cgroup.procs").write_text(str(pid))

    def effective(self) -> dict[str, float | str | None]:
        """The limits as the kernel's files have them."""
        found: dict[str, float | str | None] = {}
        if "memory" in self._folders:
            found["memory_mb"] = self.files.memory_mb()
        if "pids" in self._folders:
            found["tasks"] = self.files.tasks()
        return found

    def remove(self) -> None:
        """Remove it once its processes are gone; what is still busy after a while is left to a sweep."""
        self.files.close()
        until = time.monotonic() + _REMOVE_S
        for folder in set(self._folders.values()):
            while not _removed(folder) and time.monotonic() < until:
                time.sleep(0.01)


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
