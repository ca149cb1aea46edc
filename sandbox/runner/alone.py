"""Where no namespaces stand around the program: attributes and signals, which Landlock does not look at.

The program runs as the user whose files and processes lie around it. So the runner changes modes and times, and sends
signals, in the program's place, and only to what is the program's own.
"""

import errno
import os
import signal
import struct
from collections.abc import Callable, Sequence

from .confine import syscall
from .ledger import Ledger
from .tracee import AT_FDCWD, Call, Handler, Program, status_field

_AT_SYMLINK_NOFOLLOW, _AT_EMPTY_PATH = 0x100, 0x1000
_MODE = 0o1777
"""No set-user-id: the file stays on the host until its folder is gone."""
_DEEPEST = 4096


class Alone:
    """Handlers for seccomp's `alone`. `writable`: the folders whose files are the program's."""

    def __init__(self, program: Program, ledger: Ledger, path: Callable[[Call, int], bytes],
                 writable: Sequence[str]) -> None:
        self._program = program
        self._ledger = ledger
        self._path = path
        self._writable = tuple(os.fsencode(folder.rstrip("/")) + b"/" for folder in writable)

    def handlers(self) -> dict[str, Handler]:
        """By name of the system call."""
        return {
            "chmod": lambda c: self._chmod(c, AT_FDCWD, 0, c.signed(1), 0),
            "fchmodat": lambda c: self._chmod(c, c.signed(0), 1, c.signed(2), 0),
            "fchmodat2": lambda c: self._chmod(c, c.signed(0), 1, c.signed(2), c.signed(3)),
            "fchmod": lambda c: self._chmod(c, c.signed(0), None, c.signed(1), 0),
            "utime": lambda c: self._times(c, AT_FDCWD, 0, self._read(c, 1, "=qq", 0), 0),
            "utimes": lambda c: self._times(c, AT_FDCWD, 0, self._read(c, 1, "=qqqq", 1000), 0),
            "futimesat": lambda c: self._times(c, c.signed(0), 1, self._read(c, 2, "=qqqq", 1000), 0),
            "utimensat": lambda c: self._times(c, c.signed(0), 1, self._read(c, 2, "=qqqq", 1), c.signed(3)),
            "kill": self._kill, "tkill": self._tkill, "tgkill": self._tgkill,
        }

    # -- attributes ------------------------------------------------------------------------------------------------

    def _target(self, call: Call, dirfd: int, index: int | None, flags: int) -> int:
        """The file, held by an O_PATH descriptor. Raises EPERM where it is not the program's own."""
        if index is None or call.arguments[index] == 0:
            try:
                descriptor = os.open(f"/proc/{call.tid}/fd/{dirfd}", os.O_PATH | os.O_CLOEXEC)
            except FileNotFoundError:
                raise OSError(errno.EBADF, "no such descriptor") from None
        else:
            if flags & _AT_EMPTY_PATH:
                raise OSError(errno.EPERM, "attributes are changed by path")
            follow = 0 if flags & _AT_SYMLINK_NOFOLLOW == 0 else os.O_NOFOLLOW
            descriptor, _ = self._program.open(call.tid, dirfd, self._path(call, index), os.O_PATH | follow)
        real = self._program.real_path(descriptor)
        if real.startswith(self._writable):
            return descriptor
        os.close(descriptor)
        self._ledger.file("write", real, refused=True)
        raise OSError(errno.EPERM, "not the program's own")

    def _chmod(self, call: Call, dirfd: int, index: int | None, mode: int, flags: int) -> int:
        descriptor = self._target(call, dirfd, index, flags)
        try:
            os.chmod(f"/proc/self/fd/{descriptor}", mode & _MODE)
        finally:
            os.close(descriptor)
        return 0

    def _read(self, call: Call, index: int, layout: str, part: int) -> bytes | None:
        """Two times as timespecs; None means now."""
        address = call.arguments[index]
        if address == 0:
            return None
        size = struct.calcsize(layout)
        data = self._program.memory(call.tid, address, size)
        if len(data) < size:
            raise OSError(errno.EFAULT, "times")
        values = struct.unpack(layout, data)
        if part == 0:
            return struct.pack("=qqqq", values[0], 0, values[1], 0)
        return struct.pack("=qqqq", values[0], values[1] * part, values[2], values[3] * part)

    def _times(self, call: Call, dirfd: int, index: int, times: bytes | None, flags: int) -> int:
        descriptor = self._target(call, dirfd, index, flags)
        try:
            syscall("utimensat", AT_FDCWD, b"/proc/self/fd/%d" % descriptor, times, 0)
        finally:
            os.close(descriptor)
        return 0

    # -- signals ---------------------------------------------------------------------------------------------------

    def _kill(self, call: Call) -> int:
        pid, number = call.signed(0), call.signed(1)
        if pid <= 0:
            raise OSError(errno.EPERM, "signals go to one process")
        pidfd = os.pidfd_open(pid)
        try:
            self._must_be_own(pid)
            signal.pidfd_send_signal(pidfd, number)
        finally:
            os.close(pidfd)
        return 0

    def _tkill(self, call: Call) -> int:
        tid = call.signed(0)
        return self._to_thread(_group(tid), tid, call.signed(1))

    def _tgkill(self, call: Call) -> int:
        return self._to_thread(call.signed(0), call.signed(1), call.signed(2))

    def _to_thread(self, group: int, tid: int, number: int) -> int:
        self._must_be_own(group)
        syscall("tgkill", group, tid, number)
        return 0

    def _must_be_own(self, pid: int) -> None:
        """Below the runner and not the runner: it is the subreaper, so all that the program starts stays below it."""
        above, runner = pid, os.getpid()
        for _ in range(_DEEPEST):
            if above <= 1 or pid == runner:
                break
            above = int(_field(above, b"PPid:"))
            if above == runner:
                return
        raise OSError(errno.EPERM, "not the program's own process")


def _field(pid: int, name: bytes) -> bytes:
    try:
        return status_field(pid, name)
    except FileNotFoundError:
        raise OSError(errno.ESRCH, "no such process") from None


def _group(tid: int) -> int:
    return int(_field(tid, b"Tgid:"))
