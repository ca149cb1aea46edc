"""A stopped thread of the program, as the runner sees it: its memory, its folders, and files opened in its place.

The runner opens what the thread named, by the thread's own working folder and descriptors (the root is the same for
both: no call that changes it is let through), and hands the result over. So what is recorded is what was opened,
however often another thread rewrites the path in between. Two things keep a hostile path from reaching more than the
thread could: the runner wears the same file rules, and it never follows one of /proc's magic links nor takes /proc/self
for itself.
"""

import errno
import os
import re
import struct
from collections.abc import Callable
from dataclasses import dataclass

from .confine import syscall

AT_FDCWD = -100
_PATH_MAX = 4096
_FIRST_READ = 256

_RESOLVE_NO_MAGICLINKS, _RESOLVE_BENEATH, _RESOLVE_IN_ROOT = 0x02, 0x08, 0x10

_OWN_DESCRIPTOR = re.compile(rb"/dev/(?:std(in|out|err)|fd/(\d{1,6}))|/proc/self/fd/(\d{1,6})")
_STANDARD = {b"in": 0, b"out": 1, b"err": 2}

_PROC_FILES = frozenset(b"""cpuinfo meminfo stat version filesystems loadavg uptime swaps vmstat devices
sys/vm/overcommit_memory sys/vm/max_map_count sys/kernel/osrelease sys/kernel/ostype sys/kernel/version
sys/kernel/pid_max sys/kernel/threads-max sys/kernel/random/boot_id sys/kernel/random/uuid sys/kernel/cap_last_cap
sys/fs/file-max sys/fs/pipe-max-size""".split())
_PROC_OWN_FILES = frozenset(b"""status stat statm maps smaps smaps_rollup cmdline comm cgroup mounts mountinfo limits io
auxv environ oom_score oom_score_adj schedstat wchan task fd fdinfo""".split())


class Gone(Exception):
    """The thread ended, or its memory cannot be read; there is nobody to answer."""


@dataclass(frozen=True, slots=True)
class Call:
    """One stopped system call."""

    id: int
    tid: int
    arguments: tuple[int, ...]

    def signed(self, index: int) -> int:
        """An int argument, as the kernel reads it."""
        value = self.arguments[index] & 0xFFFFFFFF
        return value - (1 << 32) if value & 0x80000000 else value


Handler = Callable[[Call], int | None]
"""Answers one call: the result, or None when it was answered already. Raises the OSError to answer with."""


class GoOn(Exception):
    """The kernel shall do this call itself."""


def _errno(number: int) -> OSError:
    return OSError(number, os.strerror(number))


def status_field(pid: int, name: bytes) -> bytes:
    with open(f"/proc/{pid}/status", "rb") as status:
        for row in status:
            if row.startswith(name):
                return row.split(b":", 1)[1].strip()
    raise _errno(errno.ESRCH)


class Program:
    """The child and everything it starts, told apart by the number of the thread."""

    def __init__(self) -> None:
        self._own_pid = os.getpid()
        self.proc_device = os.stat("/proc").st_dev if os.path.ismount("/proc") else None
        self._memory: dict[int, int] = {}

    def close(self) -> None:
        for descriptor in self._memory.values():
            os.close(descriptor)
        self._memory.clear()

    def forget(self, tid: int) -> None:
        """The thread's memory is about to be another (execve)."""
        descriptor = self._memory.pop(tid, None)
        if descriptor is not None:
            os.close(descriptor)

    def memory(self, tid: int, address: int, size: int) -> bytes:
        """Up to `size` bytes, fewer at the end of a mapping. Raises EFAULT, or Gone."""
        for fresh in (False, True):
            descriptor = self._memory.get(tid)
            if descriptor is None:
                if len(self._memory) >= 64:
                    self.forget(next(iter(self._memory)))
                try:
                    descriptor = self._memory[tid] = os.open(f"/proc/{tid}/mem", os.O_RDONLY | os.O_CLOEXEC)
                except OSError as error:
                    raise Gone(f"memory of {tid}: {error.strerror}") from error
                fresh = True
            try:
                data = os.pread(descriptor, size, address)
            except (OSError, OverflowError):
                data = b""
            if data:
                return data
            if fresh:
                break
            # The memory behind a kept descriptor dies with an execve or a reused thread number.
            self.forget(tid)
        raise _errno(errno.EFAULT)

    def text(self, tid: int, address: int, limit: int = _PATH_MAX) -> bytes:
        """A NUL-terminated string. Raises EFAULT, ENAMETOOLONG, or Gone."""
        data = self.memory(tid, address, min(_FIRST_READ, limit))
        end = data.find(b"\0")
        if end < 0 and len(data) == _FIRST_READ < limit:
            data = self.memory(tid, address, limit)
            end = data.find(b"\0")
        if end < 0:
            raise _errno(errno.ENAMETOOLONG if len(data) >= limit else errno.EFAULT)
        return data[:end]

    def words(self, tid: int, address: int, count: int) -> list[bytes]:
        """A NULL-terminated array of strings, at most `count`, each cut at 256 bytes: what execve gets."""
        if address == 0:
            return []
        found = []
        data = self.memory(tid, address, 8 * count)
        for (pointer,) in struct.iter_unpack("=Q", data[: len(data) // 8 * 8]):
            if pointer == 0:
                break
            found.append(self.memory(tid, pointer, _FIRST_READ).split(b"\0", 1)[0])
        return found

    def umask(self, tid: int) -> int:
        return int(status_field(tid, b"Umask:"), 8)

    # -- opening ---------------------------------------------------------------------------------------------------

    def _folder(self, tid: int, dirfd: int) -> int:
        try:
            link = f"/proc/{tid}/cwd" if dirfd == AT_FDCWD else f"/proc/{tid}/fd/{dirfd}"
            return os.open(link, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        except FileNotFoundError:
            raise _errno(errno.ENOENT if dirfd == AT_FDCWD else errno.EBADF) from None

    def _openat2(self, tid: int, dirfd: int, path: bytes, flags: int, mode: int, resolve: int) -> int:
        if not path:
            raise _errno(errno.ENOENT)
        if b"\0" in path:
            raise _errno(errno.EINVAL)
        how = struct.pack("=QQQ", flags, mode, resolve | _RESOLVE_NO_MAGICLINKS)
        bounded = resolve & (_RESOLVE_BENEATH | _RESOLVE_IN_ROOT)
        if path.startswith(b"/") and not bounded:
            return syscall("openat2", AT_FDCWD, path, how, len(how))
        folder = self._folder(tid, dirfd)
        try:
            return syscall("openat2", folder, path, how, len(how))
        finally:
            os.close(folder)

    def real_path(self, descriptor: int) -> bytes:
        return os.readlink(b"/proc/self/fd/%d" % descriptor)

    def open(self, tid: int, dirfd: int, path: bytes, flags: int, mode: int = 0,
             resolve: int = 0) -> tuple[int, os.stat_result]:
        """What the thread would have got, opened by the runner without ever waiting. Raises the OSError to answer with.

        Reaches of /proc only what tells a process about itself and the machine; a magic link nowhere.
        """
        try:
            always = os.O_CLOEXEC if flags & os.O_PATH else os.O_CLOEXEC | os.O_NOCTTY
            descriptor = self._openat2(tid, dirfd, path, flags | always, mode, resolve)
        except OSError as error:
            named = _OWN_DESCRIPTOR.fullmatch(path)
            if error.errno != errno.ELOOP or named is None or flags & os.O_NOFOLLOW:
                raise
            descriptor = self._again(tid, named, flags)
        try:
            found = os.fstat(descriptor)
            if found.st_dev == self.proc_device:
                descriptor = self._in_proc(tid, descriptor, flags)
            return descriptor, found
        except OSError:
            os.close(descriptor)
            raise

    def _again(self, tid: int, named: re.Match[bytes], flags: int) -> int:
        """/dev/stdout and the like: what the thread's own descriptor is, opened again with no more rights than it has."""
        number = _STANDARD[named[1]] if named[1] else int(named[2] or named[3])
        with open(f"/proc/{tid}/fdinfo/{number}", "rb") as info:
            has = next(int(row.split()[1], 8) for row in info if row.startswith(b"flags:")) & os.O_ACCMODE
        wanted = flags & os.O_ACCMODE
        if wanted != has and has != os.O_RDWR:
            raise _errno(errno.EACCES)
        return os.open(f"/proc/{tid}/fd/{number}", flags | os.O_CLOEXEC | os.O_NOCTTY)

    def _in_proc(self, tid: int, descriptor: int, flags: int) -> int:
        """The same file of /proc for the thread's own process: what the runner opened has its own number for "self"."""
        parts = self.real_path(descriptor).split(b"/")[2:]
        if flags & os.O_ACCMODE != os.O_RDONLY:
            raise _errno(errno.EACCES)
        if not parts or b"/".join(parts) in _PROC_FILES:
            return descriptor
        own, group = b"%d" % self._own_pid, status_field(tid, b"Tgid:")
        if parts[0] in (own, group):
            parts[0] = group
            if len(parts) > 2 and parts[1] == b"task":
                parts[2] = b"%d" % tid if parts[2] == own else parts[2]
                rest = parts[3:4]
            else:
                rest = parts[1:2]
            if not rest or (rest[0] in _PROC_OWN_FILES and (rest[0] not in (b"fd", b"fdinfo") or parts[-1] == rest[0])):
                again = os.open(b"/proc/" + b"/".join(parts), (flags & ~os.O_NONBLOCK) | os.O_NOFOLLOW | os.O_CLOEXEC)
                os.close(descriptor)
                return again
        raise _errno(errno.EACCES)

    def parent(self, tid: int, dirfd: int, path: bytes) -> tuple[int, bytes]:
        """Folder and last component of a path whose last component is made, moved or removed; it is never followed."""
        cut = path.rstrip(b"/").rfind(b"/") + 1
        folder, name = path[:cut] or b".", path[cut:]
        if not name:
            raise _errno(errno.ENOENT if not path else errno.EBUSY)
        descriptor = self._openat2(tid, dirfd, folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC, 0, 0)
        if os.fstat(descriptor).st_dev == self.proc_device:
            os.close(descriptor)
            raise _errno(errno.EACCES)
        return descriptor, name
