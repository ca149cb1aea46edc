"""The fork server: one runner with the libraries loaded, that clones a whole new sandbox per request.

It runs no program. PID 1 of a bwrap sandbox that kept CAP_SYS_ADMIN (over its own namespaces, nothing else), so each
clone gets pid, mount, net, ipc and uts namespaces of its own, a private tmpfs wherever it may write and a /proc of its
own; then it gives up every capability and is an ordinary runner, PID 1 of its sandbox. User namespaces stay forbidden.
"""

import array
import ctypes
import gc
import os
import signal
import socket
from collections.abc import Callable
from typing import Any

from . import confine, frames

_NEW_NAMESPACES = 0x00020000 | 0x04000000 | 0x08000000 | 0x20000000 | 0x40000000
"""Mount, uts, ipc, pid, net."""
_MS_NOSUID, _MS_NODEV, _MS_NOEXEC, _MS_REC, _MS_PRIVATE, _MS_RDONLY, _MS_REMOUNT, _MS_BIND = (
    2, 4, 8, 0x4000, 1 << 18, 1, 32, 4096)
_CHANNEL_FDS = 3


class ForkServer:
    """Answers fork requests on a unix socket: each brings stdin, stdout and stderr of a new runner."""

    def __init__(self, channel: socket.socket, serve: Callable[[], None]) -> None:
        self._channel = channel
        self._serve = serve

    def run(self) -> None:
        """Serve until the host is gone."""
        gc.collect()
        gc.freeze()
        while True:
            data, fds, _, _ = socket.recv_fds(self._channel, 65536, _CHANNEL_FDS)
            self._reap()
            if not data:
                return
            decoder = frames.Decoder()
            decoder.feed(data)
            frame = decoder.next()
            if frame is None or len(fds) != _CHANNEL_FDS:
                raise frames.BrokenFrame("a fork request without its three descriptors")
            self._fork(frames.decode_json(frame[1]), fds)

    def _fork(self, order: dict[str, Any], fds: list[int]) -> None:
        python = ctypes.pythonapi
        python.PyOS_BeforeFork()
        pid = _clone()
        if pid == 0:
            python.PyOS_AfterFork_Child()
            self._child(order, fds)
        python.PyOS_AfterFork_Parent()
        for number in fds:
            os.close(number)
        if pid < 0:
            self._channel.sendall(frames.encode_json({"op": "failed", "errno": -pid}))
            return
        handle = os.pidfd_open(pid)
        try:
            self._channel.sendmsg([frames.encode_json({"op": "forked"})],
                                  [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [handle]))])
        finally:
            os.close(handle)

    def _child(self, order: dict[str, Any], fds: list[int]) -> None:
        try:
            for number, target in zip(fds, (0, 1, 2), strict=True):
                os.dup2(number, target)
            os.closerange(3, 256)
            confine.set_death_signal(signal.SIGKILL)
            _own_mounts(order)
            confine.drop_capabilities()
            self._serve()
        except BaseException as error:  # a forked copy: nothing may come back from here
            os.write(2, f"the forked runner failed: {type(error).__name__}: {error}\n".encode())
        finally:
            os._exit(72)

    @staticmethod
    def _reap() -> None:
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return


def _clone() -> int:
    """A fork into new namespaces; the negative errno where it fails."""
    try:
        # aarch64 takes the thread-local pointer before the child's id; both are zero here.
        return confine.syscall("clone", _NEW_NAMESPACES | signal.SIGCHLD, 0, 0, 0, 0)
    except OSError as error:
        return -(error.errno or 1)


def _own_mounts(order: dict[str, Any]) -> None:
    """Private tmpfs in place of each that this sandbox writes to, and its own processes in /proc."""
    _mount(None, "/", None, _MS_REC | _MS_PRIVATE)
    for path, options in order["tmpfs"].items():
        _mount("tmpfs", path, "tmpfs", _MS_NOSUID | _MS_NODEV, options)
    _mount("proc", "/proc", "proc", _MS_NOSUID | _MS_NODEV | _MS_NOEXEC)
    for name in ("sys", "irq", "bus", "sysrq-trigger"):
        path = f"/proc/{name}"
        if os.path.exists(path):
            _mount(path, path, None, _MS_BIND | _MS_REC)
            _mount(None, path, None, _MS_BIND | _MS_REMOUNT | _MS_RDONLY | _MS_NOSUID | _MS_NODEV | _MS_NOEXEC)


def _mount(source: str | None, target: str, kind: str | None, flags: int, options: str | None = None) -> None:
    words = [word.encode() + b"\0" if word is not None else None for word in (source, target, kind, options)]
    try:
        confine.syscall("mount", words[0], words[1], words[2], flags, words[3])
    except OSError as error:
        raise OSError(error.errno, f"mounting {kind or 'again'} on {target}: {os.strerror(error.errno or 0)}") from None
