"""Ends of processes. The runner is PID 1 of its sandbox, so every orphan becomes its child and none can hide.

Where there is no pid namespace the runner is a subreaper instead, and finds its descendants through /proc.
"""

import os
import signal
import time
from collections.abc import Container
from dataclasses import dataclass
from resource import struct_rusage

_TICK = os.sysconf("SC_CLK_TCK")
_STOP_S, _STOP_LOOK_S = 5.0, 0.0005


@dataclass(frozen=True, slots=True)
class End:
    """How one process ended, from the kernel. Exactly one of exit_code and signal is set."""

    pid: int
    exit_code: int | None
    signal: int | None
    cpu_s: float
    peak_bytes: int


def _end(pid: int, status: int, usage: struct_rusage) -> End | None:
    cpu_s, peak = usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024
    if os.WIFEXITED(status):
        return End(pid, os.WEXITSTATUS(status), None, cpu_s, peak)
    if os.WIFSIGNALED(status):
        return End(pid, None, os.WTERMSIG(status), cpu_s, peak)
    # A traced child reports its stops here too: that is no end (experiments: PTRACE_TRACEME faked an exit).
    return None


class Reaper:
    """Collects ends; adds up the processor time of all that is dead."""

    def __init__(self) -> None:
        self.ends: dict[int, End] = {}
        self.cpu_s = 0.0
        self.reaped = 0

    def collect(self, *, block: bool = False) -> bool:
        """Reap what is dead (with `block`, wait for one death first). False when there is no child left."""
        while True:
            try:
                pid, status, usage = os.wait4(-1, 0 if block else os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            block = False
            end = _end(pid, status, usage)
            if end is not None:
                self.ends[pid] = end
                self.cpu_s += end.cpu_s
                self.reaped += 1

    def forget(self) -> None:
        self.ends.clear()
        self.cpu_s = 0.0
        self.reaped = 0


@dataclass(frozen=True, slots=True)
class Process:
    """One line of the process table, as /proc/<pid>/stat gives it."""

    pid: int
    parent: int
    threads: int
    cpu_s: float
    """Its own, to the nanosecond, and in clock ticks that of its children that it waited for."""
    resident_pages: int


def _stat(pid: int | str) -> Process | None:
    text = _table(pid, "stat")
    # The name in parentheses is the program's own choice and may hold anything: count from its last parenthesis.
    fields = text[text.rfind(b")") + 2:].split()
    if len(fields) < 22:
        return None
    # A leader that is a zombie while other threads of it live is alive, and a place to hide.
    if fields[0] in (b"Z", b"X") and int(fields[17]) <= 1:
        return None
    own = _own_cpu_s(int(pid))
    if own is None:
        own = sum(map(int, fields[11:13])) / _TICK
    return Process(int(pid), int(fields[1]), int(fields[17]), own + sum(map(int, fields[13:15])) / _TICK, int(fields[21]))


def _own_cpu_s(pid: int) -> float | None:
    """By the process's CPU clock, whose number is made from its pid (clock_getcpuclockid)."""
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return None


def cpu_s(pid: int) -> float:
    """Processor time of one live process; 0 when it has ended."""
    process = _stat(pid)
    return process.cpu_s if process is not None else 0.0


def _table(pid: int | str, name: str) -> bytes:
    """A file of /proc/<pid>, empty where that has ended. Not by open(): this is read for every process of every look."""
    try:
        descriptor = os.open(f"/proc/{pid}/{name}", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.read(descriptor, 4096)
    except OSError:
        return b""
    finally:
        os.close(descriptor)


def peak_bytes(pid: int) -> int:
    """The most that a live process has had resident; 0 when it cannot be read."""
    text = _table(pid, "status")
    at = text.find(b"VmHWM:")
    return int(text[at + 6:].split(None, 1)[0]) * 1024 if at >= 0 else 0


def descendants(spare: Container[int] = ()) -> list[Process]:
    """Every live process below the runner, apart from `spare` and what is below those."""
    table = [found for name in os.listdir("/proc") if name.isdigit() and (found := _stat(name)) is not None]
    children: dict[int, list[Process]] = {}
    for process in table:
        children.setdefault(process.parent, []).append(process)
    below, pending = list[Process](), [os.getpid()]
    while pending:
        for process in children.get(pending.pop(), ()):
            if process.pid not in spare:
                below.append(process)
                pending.append(process.pid)
    return below


def kill_all() -> None:
    """SIGKILL to every other process of the sandbox: in one step as PID 1, which no fork can outrun."""
    if os.getpid() == 1:
        try:
            os.kill(-1, signal.SIGKILL)
        except ProcessLookupError:
            return
    else:
        for process in descendants():
            _kill(process.pid)


def end_all(reaper: Reaper) -> None:
    """Kill and reap until no other process is left in the sandbox."""
    kill_all()
    while reaper.collect(block=True):
        kill_all()


def end_others(reaper: Reaper, keep: int) -> None:
    """Kill and reap every process but `keep` and the threads in it."""
    while others := [process for process in descendants() if process.pid != keep]:
        for process in others:
            _kill(process.pid)
        reaper.collect()


def stop(pid: int) -> None:
    """SIGSTOP to one child, and wait until every thread of it stands still (or the child has ended)."""
    until, wanted = time.monotonic() + _STOP_S, os.WSTOPPED | os.WEXITED | os.WNOHANG | os.WNOWAIT
    try:
        os.kill(pid, signal.SIGSTOP)
        while os.waitid(os.P_PID, pid, wanted) is None and time.monotonic() < until:
            time.sleep(_STOP_LOOK_S)
    except (ProcessLookupError, ChildProcessError):  # it has ended and was reaped
        return


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
