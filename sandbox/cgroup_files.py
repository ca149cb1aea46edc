"""The kernel's files of one cgroup: limits, and counters of what they stopped. Version 1 and 2.

They are looked at around every run, so each is opened once.
"""

import os
import threading
from pathlib import Path

_MIB = 1024 * 1024
_UNLIMITED = 1 << 60
_MOST = 65536


class CgroupFiles:
    """Of the folders of one cgroup, one per controller or the same for all. A controller that is not there tells null.

    Everything is null as well once the cgroup is gone, and after `close()`.
    """

    def __init__(self, folders: dict[str, Path]) -> None:
        """Controller (`memory`, `pids`, `cpu`) to its folder."""
        self._folders = folders
        memory = folders.get("memory")
        self._second = memory is not None and (memory / "memory.max").exists()
        self._open: dict[tuple[str, str], int] = {}
        self._lock = threading.Lock()
        self._closed = False

    def memory_kills(self) -> int | None:
        """Processes that the kernel killed here for memory, since the cgroup was made."""
        return self._counter("memory", "memory.events" if self._second else "memory.oom_control", "oom_kill ")

    def forks_refused(self) -> int | None:
        """Processes and threads that the kernel did not start here because of the limit."""
        return self._counter("pids", "pids.events", "max ")

    def memory_used(self) -> int | None:
        """Bytes charged to it now."""
        used = _number(self.read("memory", "memory.current" if self._second else "memory.usage_in_bytes"))
        return int(used) if used is not None else None

    def limit_memory(self, size: int) -> None:
        """Set the limit in bytes, swap included. Raises OSError."""
        folder = self._folders.get("memory")
        if folder is None:
            return
        if self._second:
            (folder / "memory.max").write_text(str(size))
            for name in ("memory.swap.max", "memory.oom.group"):
                _write_if_there(folder / name, "0")
            return
        # The sum with swap may never be below the memory limit, so the order depends on the direction.
        files = [folder / "memory.limit_in_bytes", folder / "memory.memsw.limit_in_bytes"]
        before = _number(self.read("memory", files[0].name))
        for file in reversed(files) if before is not None and size > before else files:
            _write_if_there(file, str(size))
        _write_if_there(folder / "memory.swappiness", "0")

    def limit_tasks(self, number: int) -> None:
        """Set the limit of processes and threads. Raises OSError."""
        folder = self._folders.get("pids")
        if folder is not None:
            (folder / "pids.max").write_text(str(number))

    def memory_mb(self) -> float | None:
        """The limit; null where there is none."""
        return self._in_mb("memory.max" if self._second else "memory.limit_in_bytes")

    def swap_mb(self) -> float | None:
        """What may be used of swap beside the memory; null where that has no limit."""
        if self._second:
            return self._in_mb("memory.swap.max")
        both, memory = self._in_mb("memory.memsw.limit_in_bytes"), self.memory_mb()
        return both - memory if both is not None and memory is not None else None

    def tasks(self) -> float | None:
        return _number(self.read("pids", "pids.max"))

    def processors(self) -> float | None:
        if self._second:
            quota, _, period = self.read("cpu", "cpu.max").partition(" ")
        else:
            quota, period = self.read("cpu", "cpu.cfs_quota_us"), self.read("cpu", "cpu.cfs_period_us")
        allowed, each = _number(quota), _number(period)
        return allowed / each if allowed is not None and each and allowed > 0 else None

    def read(self, controller: str, name: str) -> str:
        """The content of one file; empty where it cannot be had."""
        with self._lock:
            if self._closed or controller not in self._folders:
                return ""
            try:
                if (controller, name) not in self._open:
                    self._open[controller, name] = os.open(self._folders[controller] / name, os.O_RDONLY | os.O_CLOEXEC)
                return os.pread(self._open[controller, name], _MOST, 0).decode("ascii", "replace").strip()
            except OSError:
                return ""

    def close(self) -> None:
        """Let go of the files. Safe to call twice."""
        with self._lock:
            self._closed = True
            for number in self._open.values():
                os.close(number)
            self._open.clear()

    def _counter(self, controller: str, name: str, key: str) -> int | None:
        for line in self.read(controller, name).splitlines():
            if line.startswith(key):
                return int(line.split()[1])
        return None

    def _in_mb(self, name: str) -> float | None:
        value = _number(self.read("memory", name))
        return value / _MIB if value is not None and value < _UNLIMITED else None


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None  # "max", or no such file


def _write_if_there(path: Path, value: str) -> None:
    if path.exists():
        path.write_text(value)
