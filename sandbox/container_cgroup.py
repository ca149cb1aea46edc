"""A container's cgroup, found from the host; null where its files cannot be seen (a remote daemon, a VM in between)."""

import os
import signal
from contextlib import suppress
from pathlib import Path

from .cgroup_files import CgroupFiles

_ROOT = Path("/sys/fs/cgroup")
_CONTROLLERS = ("memory", "cpu", "pids")


def container_cgroup(container: str, pid: int) -> CgroupFiles | None:
    """The cgroup of the container with this full id, whose first process the daemon says is `pid`."""
    groups = _groups(pid)
    if not groups or not any(container in path for path in groups.values()):
        return None  # another pid namespace: the number means somebody else here
    if "memory" in groups:
        folders = {name: _ROOT / name / groups.get(name, groups["memory"]).lstrip("/") for name in _CONTROLLERS}
    else:
        folders = dict.fromkeys(_CONTROLLERS, _ROOT / groups.get("", "/").lstrip("/"))
    return CgroupFiles(folders) if folders["memory"].is_dir() else None


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
    try:
        text = Path(f"/proc/{pid}/cgroup").read_text("ascii", "replace")
    except OSError:
        return {}
    groups = {}
    for line in text.splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            groups[controller] = path
    return groups
