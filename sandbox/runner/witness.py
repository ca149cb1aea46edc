"""The kernel's witness: the kernel stops the program at a call, the runner answers it and writes down what was done.

Files are opened, made, moved and removed by the runner in the program's place (files.py), so the recorded path is the
path that was used. Network addresses are written down and refused (sockets.py). Starting a program goes on after it
was written down: the kernel reads its path once more, so of an exec the record is what was asked, and the file rules
decide.
"""

import errno
import fcntl
import os
import select
import stat
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .alone import Alone
from .files import Files
from .ledger import Ledger
from .numbers import numbers
from .sockets import Sockets
from .tracee import AT_FDCWD, Call, Gone, GoOn, Handler, Program

_RECEIVE, _ANSWER, _STILL_VALID, _HAND_OVER = 0xC0502100, 0xC0182101, 0x40082102, 0x40182103
_NOTIFICATION = struct.Struct("=QIIiIQ6Q")
_EMPTY = bytes(_NOTIFICATION.size)
_SET_FLAGS, _WAKE_HERE = 0x40082104, 1
_CONTINUE = 1
_SEND_AT_ONCE = 2

_BATCH = 32
"""Calls answered before the runner looks at its other pipes again."""

_AT_EMPTY_PATH = 0x1000
_SHARED_MEMORY = b"/dev/shm/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What the witness needs to know beside the workspace."""

    libraries: Sequence[str] = ()
    """Folders whose reads are counted, not listed: the standard library, site-packages, shared libraries."""
    execute: Sequence[str] | None = None
    """Files and folders that may be executed; null leaves that to the file rules."""
    alone: bool = False
    """No namespaces around the program: the runner also answers for attributes and signals (seccomp's `alone`)."""
    writable: Sequence[str] = ()
    """Folders whose files are the program's own, for `alone`."""
    shared_memory: str | None = None
    """The folder that stands for /dev/shm where none can be mounted: what is named there lies here."""


class KernelWitness:
    """Answers the calls of one child and all that it starts, from the runner's poll loop.

    `fileno()` is readable when calls wait; `handle()` answers them, never waits, and raises for nothing the program
    does. `report()` has the fields of Evidence. The runner must have one thread.
    """

    def __init__(self, listener: int, workspace: str, rules: Rules) -> None:
        self._listener = listener
        self._rules = rules
        self._program = Program()
        self._ledger = Ledger("kernel", workspace, rules.libraries)
        _wake_here(listener)
        self._waiting = select.poll()
        self._waiting.register(listener, select.POLLIN)
        self._buffer = bytearray(_NOTIFICATION.size)
        self._sockets = Sockets(self._program, self._ledger, self._check_alive,
                                lambda call, value, error: self._reply(call, value, -error, 0))
        handlers = Files(self._program, self._ledger, self._path, self._give).handlers() | self._handlers()
        handlers |= self._sockets.handlers()
        if rules.alone:
            handlers |= Alone(self._program, self._ledger, self._path, rules.writable).handlers()
        self._by_number = {number: handlers[name] for name, number in numbers().items() if name in handlers}

    def fileno(self) -> int:
        return self._listener

    def close(self) -> None:
        """Let go of the listener: calls that still wait, and all to come, answer ENOSYS."""
        os.close(self._listener)
        self._sockets.close()
        self._program.close()

    def report(self) -> dict[str, Any]:
        """What was seen since the last report, in the fields of Evidence."""
        report = self._ledger.report()
        self._ledger.clear()
        return report

    def tick(self) -> None:
        """Go on with what no descriptor tells of. For every turn of the runner's loop."""
        self._sockets.send_again()

    def handle(self) -> bool:
        """Answer what waits (a bounded number). False when no process is left under the filter."""
        for _ in range(_BATCH):
            ready = self._waiting.poll(0)
            if not ready:
                return True
            if not ready[0][1] & select.POLLIN:
                return False
            self._one()
        return True

    def _one(self) -> None:
        self._buffer[:] = _EMPTY
        try:
            fcntl.ioctl(self._listener, _RECEIVE, self._buffer, True)
        except OSError as error:
            # The thread died, or a signal took it away, between the poll and this.
            if error.errno in (errno.ENOENT, errno.EINTR):
                return
            raise
        number, tid, _, name, _, _, *arguments = _NOTIFICATION.unpack(self._buffer)
        call = Call(number, tid, tuple(arguments))
        try:
            result = self._by_number[name](call)
        except GoOn:
            self._reply(call, 0, 0, _CONTINUE)
        except Gone:
            # Its memory is not to be read: the thread is dying, or hides it. A refusal either way, and a mark that
            # something went unseen.
            self._ledger.lost += 1
            self._reply(call, 0, -errno.EPERM, 0)
        except OSError as error:
            self._reply(call, 0, -(error.errno or errno.EIO), 0)
        else:
            if result is not None:
                self._reply(call, result, 0, 0)

    def _reply(self, call: Call, value: int, error: int, flags: int) -> None:
        self._answer(_ANSWER, struct.pack("=QqiI", call.id, value, error, flags))

    def _give(self, call: Call, descriptor: int, flags: int) -> None:
        self._answer(_HAND_OVER, struct.pack("=QIIII", call.id, _SEND_AT_ONCE, descriptor, 0, flags))

    def _answer(self, request: int, data: bytes) -> None:
        try:
            fcntl.ioctl(self._listener, request, data)
        except OSError as error:
            # Killed while it waited: nobody is there to be answered.
            if error.errno != errno.ENOENT:
                raise

    def _check_alive(self, call: Call) -> None:
        """The thread's number was still its own when its memory was read."""
        try:
            fcntl.ioctl(self._listener, _STILL_VALID, struct.pack("=Q", call.id))
        except OSError as error:
            raise Gone("the call was given up") from error

    def _path(self, call: Call, index: int) -> bytes:
        path = self._program.text(call.tid, call.arguments[index])
        self._check_alive(call)
        if self._rules.shared_memory is not None and path.startswith(_SHARED_MEMORY):
            return stand_in(path, os.fsencode(self._rules.shared_memory))
        return path

    def _handlers(self) -> dict[str, Handler]:
        return {
            "fork": self._fork, "vfork": self._fork, "clone": self._fork,
            "execve": lambda c: self._exec(c, AT_FDCWD, self._path(c, 0), c.arguments[1]),
            "execveat": lambda c: self._exec(c, c.signed(0), self._path(c, 1), c.arguments[2], c.signed(4)),
        }

    def _fork(self, call: Call) -> int:
        self._ledger.process([b"(fork)"])
        raise GoOn

    def _exec(self, call: Call, dirfd: int, path: bytes, argv: int, flags: int = 0) -> int:
        words = self._program.words(call.tid, argv, 32) or [path]
        self._check_alive(call)
        if not path or flags & _AT_EMPTY_PATH:
            self._ledger.process(words, refused=True)
            raise OSError(errno.EACCES, "programs are started by path")
        descriptor, found = self._program.open(call.tid, dirfd, path, os.O_PATH)
        try:
            real = self._program.real_path(descriptor)
        finally:
            os.close(descriptor)
        allowed = stat.S_ISREG(found.st_mode) and (self._rules.execute is None or any(
            real == os.fsencode(prefix) or real.startswith(os.fsencode(prefix.rstrip("/")) + b"/")
            for prefix in self._rules.execute))
        self._ledger.process(words, refused=not allowed)
        if not allowed:
            raise OSError(errno.EACCES, "not to be executed")
        self._program.forget(call.tid)
        raise GoOn


def _wake_here(listener: int) -> None:
    """The stopped thread waits for the runner and the runner for it: let both use one processor, warm (Linux 6.6)."""
    try:
        fcntl.ioctl(listener, _SET_FLAGS, _WAKE_HERE)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTTY):
            raise


def stand_in(path: bytes, folder: bytes) -> bytes:
    """A path below /dev/shm as one below the folder that stands for it. One that leads out again by `..` leads to where it
    would have led, not to what lies beside the folder."""
    plain = os.path.normpath(path) if b".." in path.split(b"/") else path
    return folder + b"/" + plain.removeprefix(_SHARED_MEMORY) if plain.startswith(_SHARED_MEMORY) else plain
