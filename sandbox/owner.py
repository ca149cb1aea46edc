"""Who owns a sandbox: a process, named so that it can be told dead for certain and never confused with a later one."""

import os
import socket
from functools import cache
from pathlib import Path

_SEPARATOR = "/"


@cache
def _host() -> str:
    """This machine: host name and the start of its machine id (two hosts may share either, hardly both)."""
    try:
        machine = Path("/etc/machine-id").read_text("ascii").strip()[:12]
    except OSError:
        machine = "unknown"
    return f"{socket.gethostname()}:{machine}"


@cache
def _boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()[:13]
    except OSError:
        return "unknown"


def _pid_namespace() -> str:
    try:
        return os.readlink("/proc/self/ns/pid").strip("pid:[]")
    except OSError:
        return "unknown"


def _started(pid: int) -> str | None:
    """Start time in clock ticks since boot; None where there is no such process. A zombie counts as gone."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("ascii", "replace")
    except OSError:
        return None
    state, *rest = stat.rpartition(")")[2].split()  # the command's name may hold spaces and brackets
    return None if state in {"Z", "X"} else rest[18]


def owner_identity(pid: int | None = None) -> str:
    """`host:machine/boot/pid namespace/pid/start time` of a process, this one by default."""
    pid = os.getpid() if pid is None else pid
    return _SEPARATOR.join([_host(), _boot(), _pid_namespace(), str(pid), _started(pid) or "unknown"])


def owner_is_dead(owner: str) -> bool:
    """True only where it is certain: same host, and that process is gone or its pid belongs to a later one.

    An owner on another host, or in another pid namespace of this boot, cannot be judged from here and counts as alive.
    """
    parts = owner.split(_SEPARATOR)
    if len(parts) != 5:
        return False
    host, boot, namespace, pid, started = parts
    if host != _host() or not pid.isdigit() or "unknown" in (boot, started):
        return False
    if boot != _boot():
        return True
    return namespace == _pid_namespace() and _started(int(pid)) != started
