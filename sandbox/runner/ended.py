"""A descriptor that becomes readable when a child has ended: a pidfd, or a socket where the kernel has none (gVisor)."""

import errno
import os
import signal
import socket

_watched: dict[int, int] = {}


def descriptor(pid: int) -> int:
    """For one's own child, running or ended and not yet reaped."""
    try:
        return os.pidfd_open(pid)
    except OSError as error:
        if error.errno != errno.ENOSYS:
            raise
    # Sockets, since a pipe could be opened anew through the runner's /proc, and written to.
    readable, writable = (end.detach() for end in socket.socketpair())
    _watched[pid] = writable
    signal.signal(signal.SIGCHLD, _look)
    _look()  # it may have ended before the handler was there
    return readable


def _look(*_: object) -> None:
    """Runs between two lines of the runner, also while it waits in poll(), which then goes on."""
    for pid in list(_watched):
        # A storm of ends interrupts this very loop, so the entry may be gone by now.
        if _has_ended(pid) and (writable := _watched.pop(pid, None)) is not None:
            os.close(writable)


def _has_ended(pid: int) -> bool:
    try:
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True  # reaped already
