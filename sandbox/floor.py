"""The floor of the Docker engine: what every container gets, whoever asks, in one place that can be read alone.

Nothing an operator passes can weaken it. A handful of settings that cannot (which processors, which share of them)
may be set; any other is refused by name.
"""

import math
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from .daemon import OWNER_LABEL, RUN_LABEL
from .engine import PROGRAM_FOLDER, SCRATCH, LaunchRequest
from .errors import BadRequest
from .limits import Limits

USER = 65534
_MIB = 1024 * 1024

RUNNER_TASKS = 1
"""The runner itself, beside the program's processes and threads."""
FOREIGN_TASKS = 2048
"""Added where the runtime is a kernel of its own (gVisor): the cgroup counts its threads, and it dies of too few. It has
to outlast a fork bomb until the runner's watch has seen it; with 256 it did not, with 1024 it did."""
RUNNER_MB = 64
"""Room for the interpreter itself, until `DockerSandbox.ready` has measured what it takes."""
_PROGRAM_MB = 8
_ROOM = 64
"""Files and folders of the runner's own beside the program's: home, temporary files, the workspace itself."""

_WEAKENS = {
    "network_mode": "sandboxes have no network", "network": "sandboxes have no network",
    "ports": "sandboxes have no network", "links": "sandboxes have no network", "dns": "sandboxes have no network",
    "extra_hosts": "sandboxes have no network", "network_disabled": "sandboxes have no network",
    "privileged": "it lifts every wall", "cap_add": "sandboxes have no capabilities",
    "cap_drop": "all capabilities are dropped already",
    "security_opt": "the seccomp profile and no-new-privileges stay",
    "devices": "sandboxes have no devices", "device_requests": "sandboxes have no devices",
    "device_cgroup_rules": "sandboxes have no devices", "user": f"programs run as uid {USER}",
    "group_add": f"programs run as uid {USER} without groups", "userns_mode": "it could map root to root",
    "pid_mode": "it would show other processes", "ipc_mode": "it would share memory with others",
    "uts_mode": "it would share the host's name", "cgroupns": "it would show the host's cgroups",
    "volumes": "host files come as inputs", "mounts": "host files come as inputs", "binds": "host files come as inputs",
    "volumes_from": "host files come as inputs", "tmpfs": "the workspace's size is a limit",
    "read_only": "the root stays read-only", "init": "the runner is PID 1", "tty": "the protocol needs plain pipes",
    "log_config": "a log would grow without bound", "ulimits": "they follow from the limits",
    "mem_limit": "set the limit memory_mb", "memswap_limit": "sandboxes do not swap",
    "pids_limit": "set the limit processes", "nano_cpus": "it follows from the limits",
    "shm_size": "it follows memory_mb",
    "oom_kill_disable": "it would let a program hang the host", "restart_policy": "sandboxes are used once",
    "runtime": "name it in the engine: docker:RUNTIME", "entrypoint": "the runner is what starts",
    "command": "the runner is what starts", "labels": "they carry the owner", "sysctls": "they reach the kernel",
    "environment": "it is fixed and recorded", "auto_remove": "the end of a sandbox is read before it goes",
}
_TAKEN = {
    "cpuset_cpus": ("CpusetCpus", str), "cpuset_mems": ("CpusetMems", str), "cpu_shares": ("CpuShares", int),
    "blkio_weight": ("BlkioWeight", int), "cgroup_parent": ("CgroupParent", str),
}


@cache
def seccomp_profile() -> str:
    """The profile as the daemon takes it: JSON text."""
    return resources.files(__package__).joinpath("seccomp.json").read_text("utf-8")


def check_overrides(overrides: Mapping[str, object]) -> dict[str, object]:
    """The operator's settings in the API's words. Raises BadRequest that names the first that is not taken."""
    taken: dict[str, object] = {}
    for name, value in overrides.items():
        if name not in _TAKEN:
            reason = _WEAKENS.get(name, "the Docker engine does not know it")
            raise BadRequest(f"the Docker setting {name!r} is refused: {reason}. Settings that are taken: "
                             f"{', '.join(sorted(_TAKEN))}.")
        key, kind = _TAKEN[name]
        if not isinstance(value, kind) or isinstance(value, bool):
            raise BadRequest(f"the Docker setting {name!r} must be {kind.__name__}, not {value!r}")
        taken[key] = value
    return taken


def processors(limits: Limits) -> int:
    """Processors a sandbox may use at once: enough to spend its CPU seconds within its wall clock, at least one."""
    return max(1, math.ceil(limits.cpu_s / limits.wall_s))


def container_config(
    request: LaunchRequest, *, image: str, command: list[str], runtime: str | None, settings: Mapping[str, object],
    cgroup_version: str, cpus: int, foreign_kernel: bool,
) -> dict[str, Any]:
    """The body of `POST /containers/create`. `image` is an id or a digest, never a tag that could move."""
    limits = request.limits
    memory = (limits.memory_mb + RUNNER_MB) * _MIB
    scratch = _tmpfs(limits.workspace_mb, limits.files + _ROOM)
    tmpfs = {SCRATCH: scratch, PROGRAM_FOLDER: _tmpfs(_PROGRAM_MB, _ROOM)}
    if request.mounts:
        tmpfs[f"{SCRATCH}/work"] = scratch  # else the daemon makes it to hold the mounts, and it belongs to root
    host: dict[str, Any] = {
        **settings,
        "NetworkMode": "none", "IpcMode": "private", "CgroupnsMode": "private", "PidMode": "", "UTSMode": "",
        "Privileged": False, "CapDrop": ["ALL"], "CapAdd": None, "GroupAdd": None, "Devices": [],
        "SecurityOpt": ["no-new-privileges:true", f"seccomp={seccomp_profile()}"],
        "ReadonlyRootfs": True,
        "Tmpfs": tmpfs,
        # Counted by the memory limit page by page; a smaller one ends a program by SIGBUS without a word.
        "ShmSize": limits.memory_mb * _MIB,
        "Memory": memory, "MemorySwap": memory, "OomKillDisable": False, "OomScoreAdj": 500,
        "PidsLimit": limits.processes + RUNNER_TASKS + (FOREIGN_TASKS if foreign_kernel else 0),
        "NanoCpus": min(cpus, processors(limits)) * 1_000_000_000,
        # No nproc: it counts all processes of the uid on the host, other sandboxes' too. The pids cgroup bounds it.
        "Ulimits": [_ulimit("fsize", limits.workspace_mb * _MIB), _ulimit("nofile", 1024), _ulimit("core", 0),
                    _ulimit("memlock", 0), _ulimit("msgqueue", 0)],
        # With an init process the program could write into the runner's pipes through /proc/1/fd.
        "Init": False,
        "LogConfig": {"Type": "none"}, "RestartPolicy": {"Name": "no"}, "AutoRemove": False,
        "Mounts": [
            {"Type": "bind", "Source": str(source), "Target": f"{SCRATCH}/work/{name}", "ReadOnly": True,
             "BindOptions": {"Propagation": "rprivate"}} for source, name in request.mounts
        ],
    }
    if cgroup_version == "1":
        host["MemorySwappiness"] = 0
    if runtime:
        host["Runtime"] = runtime
    return {
        "Image": image, "Entrypoint": command[:1], "Cmd": command[1:], "User": f"{USER}:{USER}",
        "WorkingDir": SCRATCH, "Hostname": "sandbox",
        # Cheaper by 80 to 120 ms than the network "none" alone, and the same: a namespace with nothing but lo.
        "NetworkDisabled": True,
        "Env": [f"{name}={value}" for name, value in
                {"PATH": "/usr/local/bin:/usr/bin:/bin", **request.environment}.items()],
        "OpenStdin": True, "StdinOnce": True, "AttachStdin": True, "AttachStdout": True, "AttachStderr": True,
        "Tty": False, "Healthcheck": {"Test": ["NONE"]}, "StopSignal": "SIGKILL",
        "Labels": {OWNER_LABEL: request.owner, RUN_LABEL: request.run_id},
        "HostConfig": host,
    }


def _tmpfs(size_mb: int, inodes: int) -> str:
    return f"rw,noexec,nosuid,nodev,size={size_mb}m,nr_inodes={inodes},mode=0700,uid={USER},gid={USER}"


def _ulimit(name: str, value: int) -> dict[str, Any]:
    return {"Name": name, "Soft": value, "Hard": value}
