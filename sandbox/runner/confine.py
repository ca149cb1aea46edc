"""What the child puts on before the first line of a program: privileges gone, a filter that cannot be taken off.

Order in the child: death signal, rlimits, `restrict_files`, `set_dumpable(True)` (so that the runner may read its
memory and take its listener), `drop_capabilities`, `set_no_new_privs`, `install_filter`, hand the listener's number to
the runner, wait until it is taken, close it. The runner itself stays non-dumpable from its start.
"""

import ctypes
import errno
import os
import stat
import struct
from contextlib import suppress
from functools import cache

from .numbers import numbers

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_CAPBSET_READ, _PR_CAPBSET_DROP = 1, 4, 23, 24
_PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS, _PR_CAP_AMBIENT = 36, 38, 47
_CAP_AMBIENT_CLEAR_ALL = 4
_CAPABILITY_VERSION_3 = 0x20080522

_SET_MODE_FILTER, _GET_NOTIF_SIZES = 1, 3
_FLAG_NEW_LISTENER, _FLAG_WAIT_KILLABLE_RECV = 1 << 3, 1 << 5
_NOTIF_SIZES = (80, 24, 64)


@cache
def _libc() -> ctypes.CDLL:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    libc.prctl.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
    return libc


def give_back_memory() -> None:
    """What importing took and freed again goes back to the kernel: a waiting sandbox is charged for it, and copies it."""
    with suppress(AttributeError):  # a C library without it
        _libc().malloc_trim(0)


Argument = int | bytes | ctypes.Array[ctypes.c_char] | None


def syscall(name: str, *arguments: Argument) -> int:
    """One system call. Integers travel as 64 bits, bytes as a pointer. Raises OSError with the kernel's errno."""
    words = [ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments]
    result: int = _libc().syscall(ctypes.c_long(numbers()[name]), *words)
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return result


def _prctl(option: int, value: int = 0, third: int = 0) -> int:
    result: int = _libc().prctl(option, value, third, 0, 0)
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"prctl {option}: {os.strerror(number)}")
    return result


def set_no_new_privs() -> None:
    """No execve from here on can give more rights: precondition of a filter without privileges."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)


def set_dumpable(dumpable: bool) -> None:
    """A process that is not dumpable keeps its memory and descriptors from all others of the same user."""
    _prctl(_PR_SET_DUMPABLE, int(dumpable))


def set_non_dumpable() -> None:
    set_dumpable(False)


def close_to_reopening() -> None:
    """Take the permissions off the pipes to the host. Linux lets nobody open them anew through the /proc of a process
    that is not dumpable; gVisor lets every process of the same user, and a program could forge the runner's frames."""
    for number in (0, 1, 2):
        if stat.S_ISFIFO(os.fstat(number).st_mode):
            with suppress(PermissionError):  # it belongs to somebody else, so this user cannot open it anyway
                os.fchmod(number, 0)


def set_death_signal(number: int) -> None:
    """The signal that this process gets when the thread that forked it ends."""
    _prctl(_PR_SET_PDEATHSIG, number)


def set_subreaper() -> None:
    """Orphans below this process become its children. What PID 1 has by itself, the Landlock engine has by this."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def drop_capabilities() -> None:
    """Give up every capability, and the means to get one back. Raises OSError if one is left."""
    for number in range(64):
        try:
            if _prctl(_PR_CAPBSET_READ, number):
                _prctl(_PR_CAPBSET_DROP, number)
        except OSError as error:
            if error.errno == errno.EINVAL:
                break
            # Without CAP_SETPCAP the bounding set stays; no_new_privs makes it worthless.
            if error.errno != errno.EPERM:
                raise
    try:
        _prctl(_PR_CAP_AMBIENT, _CAP_AMBIENT_CLEAR_ALL)
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
    header = struct.pack("=II", _CAPABILITY_VERSION_3, 0)
    syscall("capset", header, bytes(24))
    left = ctypes.create_string_buffer(24)
    syscall("capget", header, left)
    if left.raw != bytes(24):
        raise OSError(errno.EPERM, "capabilities are left after capset")


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def install_filter(program: bytes, listener: bool) -> int:
    """Put the filter on this thread, for good; every thread and process it starts inherits it.

    With `listener` returns the descriptor on which the runner answers, else -1. Where the kernel knows it (5.19), a
    call that the runner has taken up is no longer interrupted by signals, so no file is made twice. Needs
    `set_no_new_privs`. Raises OSError, for example EBUSY where a filter above already has a listener.
    """
    filtered = _Program(len(program) // 8, program)
    pointer = ctypes.addressof(filtered)
    if not listener:
        syscall("seccomp", _SET_MODE_FILTER, 0, pointer)
        return -1
    try:
        return syscall("seccomp", _SET_MODE_FILTER, _FLAG_NEW_LISTENER | _FLAG_WAIT_KILLABLE_RECV, pointer)
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
    return syscall("seccomp", _SET_MODE_FILTER, _FLAG_NEW_LISTENER, pointer)


def take_descriptor(pidfd: int, number: int) -> int:
    """The runner's own copy of a descriptor of its child, close-on-exec (pidfd_getfd).

    Where sendmsg is notified, SCM_RIGHTS cannot carry the listener: the child would wait for the very runner that waits
    for it. Raises OSError: EPERM where the container's profile forbids it or the child is not dumpable.
    """
    return syscall("pidfd_getfd", pidfd, number, 0)


def witness_unavailable(*, alone: bool = False) -> str | None:
    """Null where this kernel lets the runner answer system calls, else what is missing. Tries, but changes nothing.

    `alone`: the listener comes by message, so that pidfd_getfd may be missing.
    """
    sizes = ctypes.create_string_buffer(6)
    try:
        syscall("seccomp", _GET_NOTIF_SIZES, 0, sizes)
        if struct.unpack("=HHH", sizes.raw) != _NOTIF_SIZES:
            return "the kernel's notifications have another size than this runner knows"
        how = struct.pack("=QQQ", os.O_PATH | os.O_CLOEXEC, 0, 0)
        os.close(syscall("openat2", -100, b"/", how, len(how)))
        own = os.pidfd_open(os.getpid())
        try:
            if not alone:
                os.close(take_descriptor(own, own))
        finally:
            os.close(own)
    except OSError as error:
        return f"no kernel witness here: {error.strerror}"
    return None
