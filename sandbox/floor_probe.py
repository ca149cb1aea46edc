"""Does the daemon really apply the floor? A container on it looks around from the inside and says what it sees.

Daemons differ, some speak Docker's API and ignore half of it; a floor that was only asked for is none.
"""

import hashlib
import json
import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, ValidationError

from .engine import LaunchRequest
from .errors import EngineUnavailable, LimitsNotEnforced
from .floor import RUNNER_MB, USER
from .limits import Limits
from .owner import owner_identity
from .packages import data_folder

if TYPE_CHECKING:
    from .docker import DockerEngine
    from .image_record import Image

_ANSWER_BYTES = 64 * 1024
_LIMITS = Limits(wall_s=10, cpu_s=10, memory_mb=128, processes=16, workspace_mb=8, files=64)

_DECISIVE = ("ID", "ServerVersion", "KernelVersion", "SecurityOptions", "Runtimes", "DefaultRuntime", "CgroupVersion",
             "MemoryLimit", "SwapLimit", "PidsLimit")
"""What the daemon says of itself that changes when it, its host or its configuration does."""

_LOOK = """
import ctypes, json, os
def status(name):
    for line in open("/proc/self/status"):
        if line.startswith(name + ":"): return line.split(":")[1].strip()
def refused(path):
    try: os.close(os.open(path, os.O_WRONLY | os.O_CREAT))
    except OSError: return True
    return False
def memory():
    for path in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try: return int(open(path).read())
        except (OSError, ValueError): pass
def bounded():
    try:
        with open("/tmp/probe", "wb") as f:
            for _ in range(10): f.write(bytes(1 << 20)); f.flush()
    except OSError: return True
    return False
libc = ctypes.CDLL(None, use_errno=True)
seccomp = {"x86_64": 317, "aarch64": 277}.get(os.uname().machine, -1)
sizes = (ctypes.c_uint16 * 3)()
print(json.dumps({
    "release": os.uname().release, "version": os.uname().version, "pid": os.getpid(), "uid": os.getuid(),
    "groups": os.getgroups(), "capabilities": status("CapEff"), "bounding": status("CapBnd"),
    "no_new_privs": libc.prctl(39, 0, 0, 0, 0), "seccomp": status("Seccomp"),
    "notifies": libc.syscall(seccomp, 3, 0, sizes) == 0,
    "interfaces": sorted(set(os.listdir("/sys/class/net")) if os.path.isdir("/sys/class/net") else ["lo"]),
    "read_only": refused("/probe") and refused("/etc/probe") and refused("/usr/probe"), "sized_tmpfs": bounded(),
    "memory_bytes": memory(),
}), flush=True)
os.read(0, 1)
"""


class Floor(BaseModel):
    """What the container saw."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    release: str
    version: str
    pid: int
    uid: int
    groups: list[int]
    capabilities: str | None
    bounding: str | None
    no_new_privs: int
    seccomp: str | None
    notifies: bool
    """Whether seccomp(2) knows user notification there, so that the runner can be a witness in the kernel."""
    interfaces: list[str]
    read_only: bool
    sized_tmpfs: bool
    memory_bytes: int | None
    """The cgroup's memory limit as seen inside, for daemons whose cgroups cannot be seen from here."""
    memory_limited: bool
    """Whether the limit asked for is in a cgroup; the daemon's record of it proves nothing."""
    foreign_kernel: bool = False
    """Whether it met another kernel than the daemon's host has."""

    def broken(self) -> list[str]:
        """The walls that do not stand, in words."""
        checks = {
            "the runner is not PID 1": self.pid == 1,
            f"programs run as uid {self.uid}": self.uid == USER,
            f"programs have groups {self.groups}": set(self.groups) <= {USER},
            "programs have capabilities": not self.capabilities or int(self.capabilities, 16) == 0,
            "no-new-privileges is off": self.no_new_privs == 1,
            "the seccomp profile is not applied": self.foreign_kernel or self.seccomp == "2",
            f"there are network interfaces: {', '.join(self.interfaces)}": set(self.interfaces) <= {"lo"},
            "the root is writable": self.read_only,
        }
        return [name for name, holds in checks.items() if not holds]


def measured_floor(engine: "DockerEngine", image: "Image", info: dict[str, Any], home: Path | None) -> Floor:
    """The floor, measured once for this daemon as it is configured now, this image and this runtime, then remembered.

    Only a floor that holds is remembered. Raises LimitsNotEnforced and EngineUnavailable.
    """
    facts = {name: info.get(name) for name in _DECISIVE}
    identity = json.dumps([facts, engine.name, image.id, engine.config_for(_request(), image, [])], sort_keys=True)
    key = hashlib.sha256(identity.replace(owner_identity(), "").encode()).hexdigest()[:24]
    path = data_folder(home) / "floors" / f"{key}.json"
    try:
        return Floor.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        floor = measure_floor(engine, image, info)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        written = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
        written.write_text(floor.model_dump_json(), "utf-8")
        written.replace(path)
    except OSError:
        return floor  # a data folder that cannot be written costs the next process 0.3 s
    return floor


def _request() -> LaunchRequest:
    return LaunchRequest(limits=_LIMITS, run_id="floor", owner=owner_identity())


def measure_floor(engine: "DockerEngine", image: "Image", info: dict[str, Any]) -> Floor:
    """Start one container and ask it. Raises LimitsNotEnforced naming every wall that does not stand."""
    sandbox = engine.start_command(_request(), image, [image.executable, "-I", "-B", "-S", "-c", _LOOK])
    try:
        answer = sandbox.stdout.read(_ANSWER_BYTES)
        outside = sandbox.effective()
        if not answer:
            raise EngineUnavailable(f"Docker: a container of {image.id} started and said nothing: {sandbox.diagnose()}")
    finally:
        sandbox.close()
    try:
        seen = json.loads(answer)
        limit = _LIMITS.memory_mb + RUNNER_MB
        limited = seen["memory_bytes"] == limit * 1024 * 1024 or (
            outside.get("seen_by") == "cgroup" and outside.get("memory_mb") == limit)
        floor = Floor(**seen, foreign_kernel=seen["release"] != info.get("KernelVersion"), memory_limited=limited)
    except (ValueError, KeyError, ValidationError) as error:
        raise EngineUnavailable(f"Docker: a container of {image.id} gave no usable answer: {error}") from error
    broken = floor.broken()
    if broken:
        raise LimitsNotEnforced(f"Docker: the daemon does not hold what was asked of it: {'; '.join(broken)}. "
                                f"{engine.name} is not used.")
    return floor
