"""The Landlock engine: no daemon, no namespaces. For places where neither is to be had: inside other people's containers,
on hardened hosts.

The same runner, as an ordinary process of the user, confined by Landlock, by the strict filter and by rlimits. It is the
weakest of the engines, and says so: `capabilities().lacks` is for people to read before they choose it.
"""

import os
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from importlib import resources
from pathlib import Path
from typing import IO

from .boot import runner_command
from .engine import SCRATCH, Capabilities, LaunchRequest
from .environment import Environment, find_environment
from .errors import EngineUnavailable, LimitsNotEnforced
from .limits import Limits
from .owner import owner_is_dead
from .python_tree import python_tree
from .runner.confine import witness_unavailable
from .runner.keeper import remove_tree
from .runner.landlock import landlock_abi
from .spawner import spawn

_START_S = 20.0
_END_S = 10.0
_STDERR_BYTES = 4096
_PREFIX = "fumehood-landlock-"
_OWNER = "owner"
_SIGNALS_SINCE, _TRUNCATION_SINCE, _TCP_SINCE = 6, 3, 4

_LACKS = (
    "no pid, mount or network namespace: the program can see by stat() that a host file exists, how large it is and when "
    "it changed, and which processes run, though not read or signal any",
    "memory and processor time are held per process by rlimits and together by the runner's watch, not by the kernel",
    "the number of processes is the user's own count: other work of the same user counts too, and root is not counted",
    "the workspace's size is watched, not fixed: more can be written between two looks",
    "nothing is mounted: /tmp is refused (TMPDIR names the folder for temporary files), and shared memory is files that "
    "count as the workspace's size",
)
_NO_SHARED_MEMORY = "no /dev/shm: multiprocessing's pools, queues and locks cannot be made"


class LandlockEngine:
    """Starts sandboxes as plain processes. `home`: the data folder that holds the environment."""

    name = "landlock"
    local = False
    """Large inputs are copied: nothing can be mounted."""

    def __init__(self, *, home: Path | None = None, environment: Environment | None = None) -> None:
        self._home = home
        self._given = environment
        self._proved = False

    def environment(self) -> Environment:
        """The Python environment that programs see. Raises EngineUnavailable where none is built."""
        environment = self._given or find_environment(self._home)
        if environment is None:
            raise EngineUnavailable("landlock: the sandbox's Python environment is not built. Build it with "
                                    "`fumehood sandbox build`.")
        return environment

    def unavailable(self) -> str | None:
        if self._proved:
            return None
        try:
            self._try()
        except EngineUnavailable as error:
            return str(error)
        self._proved = True
        return None

    def _try(self) -> None:
        if sys.platform != "linux" or _abi() == 0:
            raise EngineUnavailable("landlock: this kernel has no Landlock (Linux 5.13 and later, with `landlock` in the "
                                    "boot option lsm=), or the container around forbids it. Use Docker or bubblewrap.")
        environment = self.environment()
        python_tree(environment)
        try:
            told = subprocess.run([str(environment.python), "-I", "-S", "-c", "import ctypes; print('up')"], env={},
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                                  timeout=_START_S, check=False, start_new_session=True)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise EngineUnavailable(f"landlock: {environment.python} cannot be started: {error}") from error
        if told.stdout.strip() != "up":
            raise EngineUnavailable(f"landlock: {environment.python} does not work: {told.stderr.strip()[-500:]}")

    def capabilities(self) -> Capabilities:
        abi, lacks = _abi(), list(_LACKS)
        if abi < _TRUNCATION_SINCE:
            lacks.append(f"Landlock ABI {abi}: read-only files are kept from being truncated by the filter only")
        if abi < _TCP_SINCE:
            lacks.append(f"Landlock ABI {abi}: TCP is kept shut by the filter only")
        if abi < _SIGNALS_SINCE:
            lacks.append(f"Landlock ABI {abi}: signals to other processes are kept back by the filter only")
        if os.getuid() == 0:
            lacks.append("the program runs as root, though without capabilities: start fumehood as another user")
        without = witness_unavailable(alone=True)
        if without is not None:
            lacks += [without, _NO_SHARED_MEMORY]
        return Capabilities(network="filter", pid_namespace=False, mount_namespace=False,
                            witness="kernel" if without is None else "interpreter", memory="soft", cpu="soft",
                            processes="soft", disk="soft", lacks=lacks)

    def runtime(self) -> str:
        return self.environment().digest

    def packages(self) -> dict[str, str]:
        """Distribution name to version of what programs can import."""
        return self.environment().packages

    def launch(self, request: LaunchRequest) -> "LandlockSandbox":
        if request.mounts:
            raise LimitsNotEnforced("landlock: nothing can be mounted here")
        return LandlockSandbox(self.environment(), request)


def sweep_folders() -> list[str]:
    """Remove the folders of sandboxes whose owner is dead and whose keeper was killed too; their paths."""
    removed = []
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        try:
            if folder.lstat().st_uid != os.getuid() or not owner_is_dead((folder / _OWNER).read_text("utf-8")):
                continue
        except FileNotFoundError:  # just made, or just removed
            continue
        remove_tree(str(folder))
        removed.append(str(folder))
    return removed


def _abi() -> int:
    try:
        return landlock_abi()
    except OSError:  # no call table for this processor
        return 0


def _keeper() -> str:
    return resources.files(f"{__package__}.runner").joinpath("keeper.py").read_text("utf-8")


class LandlockSandbox:
    """One sandbox: the keeper outside the walls, the runner and all that it starts below it, a private folder."""

    def __init__(self, environment: Environment, request: LaunchRequest) -> None:
        tree = python_tree(environment)
        venv = environment.python.parent.parent
        real = os.path.realpath(environment.python)
        sources = [source for source, _ in tree.mounts]
        self.read_only = sorted({*sources, str(venv)})
        """What runner and program may read: Python, its libraries, time zones."""
        self.execute = sorted({real, *(source for source in sources if os.path.basename(source).startswith("ld-"))})
        self._lock = threading.Lock()
        self._closed = False
        sweep_folders()
        self._folder = tempfile.mkdtemp(prefix=_PREFIX)
        Path(self._folder, _OWNER).write_text(request.owner, "utf-8")
        self.scratch, self.program_folder = f"{self._folder}/scratch", f"{self._folder}/program"
        for path in (self.scratch, self.program_folder):
            os.mkdir(path, 0o700)
        self._stderr = os.memfd_create("fumehood-stderr")
        self._process: subprocess.Popen[bytes] | None = None
        stdin_read, stdin_write = os.pipe()
        stdout_read, stdout_write = os.pipe()
        lifeline_read, self._lifeline = os.pipe()
        self.stdin: IO[bytes] = os.fdopen(stdin_write, "wb", buffering=0)
        self.stdout: IO[bytes] = os.fdopen(stdout_read, "rb", buffering=0)
        try:
            *python, boot = runner_command(str(environment.python))
            start = f"{_keeper()}\nkeep({lifeline_read}, {self._folder!r})\n{boot}"
            self._process = spawn([*python, start], stdin=stdin_read, stdout=stdout_write, stderr=self._stderr,
                                  pass_fds=[lifeline_read], environment=self._variables(environment, request))
        except OSError as error:
            self.close()
            raise EngineUnavailable(f"landlock: the runner cannot be started: {error}") from error
        finally:
            for number in (lifeline_read, stdin_read, stdout_write):
                os.close(number)

    def _variables(self, environment: Environment, request: LaunchRequest) -> dict[str, str]:
        """The request's, with this sandbox's own folder where others have theirs mounted."""
        variables = {name: self.scratch + value.removeprefix(SCRATCH) if value.startswith(SCRATCH) else value
                     for name, value in request.environment.items()}
        return variables | {"PATH": str(environment.python.parent)}

    def ready(self) -> None:
        """Nothing to do: the limits are the program's own from the start."""

    def lower(self, limits: Limits) -> None:
        """Nothing to do: each program gets its own limits."""

    def kill(self) -> None:
        with self._lock:
            if self._closed or self._lifeline < 0:
                return
            os.close(self._lifeline)
            self._lifeline = -1
            if self._process is not None:
                try:
                    self._process.wait(_END_S)
                except subprocess.TimeoutExpired:
                    self._process.kill()

    def close(self) -> None:
        self.kill()
        with self._lock:
            if self._closed:
                return
            self._closed = True
            if self._process is not None:
                self._process.wait()
            self._said = self.diagnose()
            os.close(self._stderr)
            self._stderr = -1
            for stream in (self.stdin, self.stdout):
                with suppress(OSError):
                    stream.close()
            remove_tree(self._folder)

    def diagnose(self) -> str:
        if self._stderr < 0:
            return self._said
        size = os.fstat(self._stderr).st_size
        said = os.pread(self._stderr, _STDERR_BYTES, max(0, size - _STDERR_BYTES))
        if said.strip():
            return said.decode("utf-8", "backslashreplace").strip()
        return f"the runner ended with {self._process.poll()}" if self._process is not None else "it was not started"

    def memory_kills(self) -> int | None:
        return None

    def forks_refused(self) -> int | None:
        return None

    def out_of_memory(self) -> bool | None:
        return None

    def effective(self) -> dict[str, float | str | None]:
        return {}
