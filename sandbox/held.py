"""A sandbox that this host holds by a pidfd of its PID 1, and by a cgroup where it may make one."""

import os
import select
import signal
import subprocess
import threading
from contextlib import suppress
from pathlib import Path
from typing import IO

from .cgroup import Cgroup, cgroup_held
from .engine import PROGRAM_FOLDER, SCRATCH, LaunchRequest
from .errors import LimitsNotEnforced
from .limits import Limits

_MIB = 1024 * 1024
_END_S = 20.0
_STDERR_BYTES = 4096
_RUNNER_TASKS = 1
_RUNNER_MEMORY = 64 * _MIB
"""Room for the interpreter itself until `ready()` has measured what it takes."""


def make_cgroup(request: LaunchRequest) -> Cgroup | None:
    """The cgroup for a sandbox, None where this process may make none. Raises LimitsNotEnforced."""
    if not cgroup_held():
        return None
    try:
        group = Cgroup(f"{request.run_id[:40]}-{os.urandom(4).hex()}", request.owner)
        group.limit(memory_bytes=request.limits.memory_mb * _MIB + _RUNNER_MEMORY,
                    tasks=request.limits.processes + _RUNNER_TASKS)
    except OSError as error:
        raise LimitsNotEnforced(f"bubblewrap: the cgroup of the sandbox cannot be set up: {error}") from error
    return group


class HeldSandbox:
    """What does not depend on how the sandbox was started: its end, its limits, what it wrote to stderr."""

    stdin: IO[bytes]
    stdout: IO[bytes]
    scratch = SCRATCH
    program_folder = PROGRAM_FOLDER

    def __init__(self, limits: Limits, cgroup: Cgroup | None) -> None:
        self._limits = limits
        self._cgroup = cgroup
        self._runner_memory = _RUNNER_MEMORY
        self._lock = threading.Lock()
        self._stderr = os.memfd_create("fumehood-stderr")
        self._said = ""
        self._pidfd = -1
        self._process: subprocess.Popen[bytes] | None = None
        self._kills: int | None = None
        self._closed = False

    @property
    def pid(self) -> int:
        """Of the process that this one started for it; 0 where none was."""
        return self._process.pid if self._process is not None else 0

    def hold(self, pidfd: int) -> None:
        """Take over PID 1 of the sandbox. Raises ProcessLookupError when it has ended already."""
        self._pidfd = pidfd
        if self._cgroup is not None:
            self._cgroup.add(_pid_of(pidfd))

    def ready(self) -> None:
        """The runner has started: from now on the memory limit is the program's, beside what the runner itself takes."""
        if self._cgroup is not None:
            self._runner_memory = self._cgroup.files.memory_used() or 0
            self._limit(self._limits)

    def lower(self, limits: Limits) -> None:
        if self._cgroup is not None and not limits.same_room(self._limits):
            self._limit(limits)
            self._limits = limits

    def _limit(self, limits: Limits) -> None:
        assert self._cgroup is not None
        try:
            self._cgroup.limit(memory_bytes=limits.memory_mb * _MIB + self._runner_memory,
                               tasks=limits.processes + _RUNNER_TASKS)
        except OSError as error:
            raise LimitsNotEnforced(f"bubblewrap: the limits cannot be set: {error}") from error

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
                poll.poll(int(1000 * _END_S))
                os.close(self._pidfd)
            self._said = self._read_stderr()
            os.close(self._stderr)
            for stream in (getattr(self, "stdin", None), getattr(self, "stdout", None)):
                if stream is not None:
                    with suppress(OSError):
                        stream.close()
            if self._cgroup is not None:
                self._cgroup.remove()

    def diagnose(self) -> str:
        with self._lock:
            return self._said if self._closed else self._read_stderr()

    def _read_stderr(self) -> str:
        size = os.fstat(self._stderr).st_size
        said = os.pread(self._stderr, _STDERR_BYTES, max(0, size - _STDERR_BYTES))
        if said.strip():
            return said.decode("utf-8", "backslashreplace").strip()
        return f"bwrap ended with {self._process.poll()}" if self._process is not None else "nothing on its stderr"

    def out_of_memory(self) -> bool | None:
        kills = self.memory_kills()
        return None if kills is None else kills > 0

    def memory_kills(self) -> int | None:
        with self._lock:
            return self._kills if self._closed else self._count_kills()

    def forks_refused(self) -> int | None:
        with self._lock:
            return self._cgroup.files.forks_refused() if self._cgroup is not None and not self._closed else None

    def _count_kills(self) -> int | None:
        return self._cgroup.files.memory_kills() if self._cgroup is not None else None

    def effective(self) -> dict[str, float | str | None]:
        return {**self._cgroup.effective(), "seen_by": "cgroup"} if self._cgroup is not None else {}


def _pid_of(pidfd: int) -> int:
    """The number behind a pidfd in this process's own pid namespace. Raises ProcessLookupError."""
    for line in Path(f"/proc/self/fdinfo/{pidfd}").read_text("ascii").splitlines():
        name, _, value = line.partition(":")
        if name == "Pid" and int(value) > 0:
            return int(value)
    raise ProcessLookupError("the process has ended")
