"""A descriptor that becomes readable when a child has ended: a pidfd, or a pipe where the kernel has none (gVisor)."""

import errno
import os
import signal

_watched: dict[int, int] = {}


def descriptor(pid: int) -> int:
    """For one's own child, running or ended and not yet reaped."""
    try:
        return os.pidfd_open(pid)
    except OSError as error:
        if error.errno != errno.ENOSYS:
            raise
    readable, writable = os.pipe()
    _watched[pid] = writable
    signal.signal(signal.SIGCHLD, _look)
    _look()  # it may have ended before the handler was there
    return readable


def _look(*_: object) -> None:
    """Runs between two lines of the runner, also while it waits in poll(), which then goes on."""
    for pid in list(_watched):
        if _has_ended(pid):
            os.close(_watched.pop(pid))


def _has_ended(pid: int) -> bool:
    try:
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True  # reaped already
