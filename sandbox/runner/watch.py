"""The runner's watch over all processes of a run: what no rlimit adds up. Where a cgroup holds a limit, it is second."""

import os
import time
from dataclasses import dataclass

from . import reap
from .quota import FolderQuota

_PAGE = os.sysconf("SC_PAGE_SIZE")
INTERVAL_S = 0.04
"""A quarter of the 200 ms within which a breach must be seen, to leave room for a busy host."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """What the watch enforces. Bytes, seconds, counts; None where something harder holds it."""

    cpu_s: float
    memory_bytes: int | None
    processes: int
    files: int


class Watch:
    """Looks at the process table every `INTERVAL_S`; remembers the peaks."""

    def __init__(self, bounds: Bounds, reaper: reap.Reaper, scratch: str, child: int, quota: FolderQuota | None = None,
                 ) -> None:
        """`child`: the one process that is there before the program runs."""
        self._bounds = bounds
        self._reaper = reaper
        self._scratch = scratch
        self._quota = quota
        self._next = time.monotonic() + INTERVAL_S
        self._cpu_before = reap.cpu_s(child)
        self._cpu_seen = 0.0
        self._own_cpu_before, self._own_pages_before = time.process_time(), _own_pages()
        self.peak_bytes = 0
        self.peak_processes = 0
        self.files_before = used_inodes(scratch)

    def wait_s(self) -> float:
        return max(0.0, self._next - time.monotonic())

    def due(self) -> bool:
        return time.monotonic() >= self._next

    def look(self) -> str | None:
        """The name of a limit that is exceeded now, or None."""
        self._next = time.monotonic() + INTERVAL_S
        table = reap.descendants()
        self.peak_processes = max(self.peak_processes, sum(process.threads for process in table))
        if sum(process.threads for process in table) > self._bounds.processes:
            return "processes"
        if self.cpu_s(table) > self._bounds.cpu_s:
            return "cpu"
        return self._files(table) or self._memory(table)

    def _files(self, table: list[reap.Process]) -> str | None:
        if self._quota is not None:
            return self._quota.look(process.pid for process in table)
        return "files" if used_inodes(self._scratch) - self.files_before > self._bounds.files else None

    def cpu_s(self, table: list[reap.Process] | None = None) -> float:
        """Processor time of everything this run started, dead or alive, and what the runner took for it: every call that is
        witnessed and every answer costs the runner some, and a program could make it work without end."""
        live = sum(process.cpu_s for process in table or ())
        own = time.process_time() - self._own_cpu_before
        # The kernel counts the dead more coarsely than the living.
        self._cpu_seen = max(self._cpu_seen, live + self._reaper.cpu_s - self._cpu_before + own)
        return self._cpu_seen

    def _memory(self, table: list[reap.Process]) -> str | None:
        # Resident sizes count a page once per process that maps it: an upper bound, cheap to read. Only where that
        # bound is over the limit is the share-weighted size worth its price.
        used, limit = sum(process.resident_pages for process in table) * _PAGE, self._bounds.memory_bytes
        if limit is not None and used > limit:
            used = sum(_share(process) for process in table)
        # What the runner holds for the program: output on its way, messages half received, events.
        used += max(0, _own_pages() - self._own_pages_before) * _PAGE
        self.peak_bytes = max(self.peak_bytes, used)
        return "memory" if limit is not None and used > limit else None


def _own_pages() -> int:
    """Resident pages of the runner itself that are no file's."""
    with open("/proc/self/statm", "rb", buffering=0) as file:
        fields = file.read(256).split()
    return int(fields[1]) - int(fields[2])


def _share(process: reap.Process) -> int:
    try:
        with open(f"/proc/{process.pid}/smaps_rollup", "rb", buffering=0) as file:
            text = file.read(4096)
    except OSError:  # ended, or not ours to read: then the upper bound must do
        return process.resident_pages * _PAGE
    return sum(int(line.split()[1]) * 1024 for line in text.splitlines() if line.startswith(b"Pss:"))


def used_inodes(path: str) -> int:
    """Files and folders on the file system of `path`, by its own count where it has one."""
    status = os.statvfs(path)
    return status.f_files - status.f_ffree if status.f_files else _counted(path)


def _counted(top: str) -> int:
    """Files and folders one by one, where the file system does not count them (gVisor)."""
    count, folders = 0, [top]
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    count += 1
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
        except OSError:
            continue  # gone meanwhile, or closed by the program
    return count


def space(path: str) -> dict[str, int | None]:
    """Size and free space of a file system, in bytes, as the kernel has it; files and folders, and how many more fit
    (None where the file system sets no number)."""
    status = os.statvfs(path)
    return {"bytes": status.f_blocks * status.f_frsize, "free": status.f_bavail * status.f_frsize,
            "files": status.f_files - status.f_ffree, "files_free": status.f_ffree if status.f_files else None}


def confinement(pid: int) -> dict[str, int]:
    """Seccomp mode, no_new_privs and effective capabilities of a process, from /proc/<pid>/status."""
    found = {}
    with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
        for line in file:
            name, _, value = line.partition(":")
            if name in ("Seccomp", "NoNewPrivs"):
                found[name] = int(value)
            elif name == "CapEff":
                found[name] = int(value, 16)
    if "NoNewPrivs" not in found and found.get("Seccomp") == 2 and found.get("CapEff") == 0:
        found["NoNewPrivs"] = 1  # gVisor does not tell; no kernel takes such a process's filter where it is off
    return found


def mapped_bytes(pid: int, kind: str) -> int:
    """What RLIMIT_DATA (private writable memory) or RLIMIT_AS (all of it) counts of a process now."""
    wanted = {"DATA": "VmData:", "AS": "VmSize:"}[kind]
    with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
        for line in file:
            if line.startswith(wanted):
                return int(line.split()[1]) * 1024
    return 0
