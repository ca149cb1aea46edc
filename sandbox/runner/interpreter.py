"""The interpreter's witness: Python's own audit events, for what the kernel's witness cannot see.

Where the kernel cannot notify (gVisor) it stands in for it with the same kinds of events. Beside the kernel's witness
it only adds what no system call carries: host names that were looked up, and the program's line of a network attempt.
It lives in the program's process, so a hostile program can blind it or make things up; every event says who saw it.
"""

import json
import os
import select
import sys
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any

from .ledger import Ledger

_LINE_BYTES = 4096
"""PIPE_BUF: a write of at most so much is never mixed with another process's."""
_READ = 64 * 1024

_LOOKUPS = ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr")
_ADDRESSES = ("socket.connect", "socket.sendto", "socket.sendmsg")
_CHANGES = {"os.rename": ("rename", 0, 2), "os.remove": ("unlink", 0, 1), "os.rmdir": ("unlink", 0, 1),
            "os.mkdir": ("mkdir", 0, 1), "os.link": ("link", 1, 2), "os.symlink": ("link", 1, 2),
            "os.truncate": ("truncate", 0, 1), "sqlite3.connect": ("write", 0, 1)}
"""Mode, and which of the arguments are paths that were changed."""
_PROCESSES = {"subprocess.Popen": 1, "os.exec": 1, "os.posix_spawn": 1, "os.system": 0, "pty.spawn": 0,
              "os.fork": None, "os.forkpty": None}
"""Which argument has the words."""
_MODES = frozenset(("read", "write", *(mode for mode, _, _ in _CHANGES.values())))

Told = dict[str, Any]


def watch(descriptor: int, program: str, *, everything: bool) -> None:
    """Install the audit hook, for good, in this process and those it forks. Events go to the pipe `descriptor`.

    `program`: file name of the program's code, for line numbers. Without `everything` only network events are told.
    If the pipe is gone, what would have been told fails.
    """
    wanted = frozenset((*_LOOKUPS, *_ADDRESSES))
    if everything:
        wanted |= frozenset(("open", *_CHANGES, *_PROCESSES))
    pipe = _identity(os.fstat(descriptor))
    # Bound here, where the program cannot replace them.
    write, fstat, dumps, frame, tell, identity = os.write, os.fstat, json.dumps, sys._getframe, _tell, _identity

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event not in wanted:
            return
        told = tell(event, arguments)
        if told is None:
            return
        told["line"] = _line_of(frame(1), program)
        line = dumps(told).encode() + b"\n"
        if len(line) > _LINE_BYTES:
            line = b"{}\n"
        try:
            there = identity(fstat(descriptor)) == pipe
            if there:
                write(descriptor, line)
        except OSError:
            there = False
        if not there:
            raise PermissionError(f"{event}: the witness of this sandbox was cut off")

    sys.addaudithook(hook)


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def _line_of(frame: FrameType | None, program: str) -> int | None:
    while frame is not None:
        if frame.f_code.co_filename == program:
            return frame.f_lineno
        frame = frame.f_back
    return None


def _tell(event: str, arguments: tuple[Any, ...]) -> Told | None:
    if event == "open":
        paths, flags = _paths(arguments[:1]), arguments[2]
        access = "read" if isinstance(flags, int) and flags & os.O_ACCMODE == os.O_RDONLY else "write"
        return {"mode": access, "paths": paths} if paths else None
    if event in _CHANGES:
        mode, first, end = _CHANGES[event]
        paths = _paths(arguments[first:end])
        return {"mode": mode, "paths": paths} if paths else None
    if event in _PROCESSES:
        index = _PROCESSES[event]
        words = ["(fork)"] if index is None else arguments[index]
        words = [words] if isinstance(words, (str, bytes)) else list(words)
        return {"argv": [os.fsdecode(word)[:256] for word in words[:32]]}
    if event in _LOOKUPS:
        port = arguments[1] if event == "socket.getaddrinfo" else None
        return {"family": "dns", "host": _text(arguments[0]), "port": port if isinstance(port, int) else None}
    address = arguments[1]
    if isinstance(address, tuple) and len(address) >= 2:
        family = "inet6" if len(address) == 4 else "inet"
        return {"family": family, "host": _text(address[0]), "port": address[1]}
    if isinstance(address, (str, bytes)):
        return {"family": "unix", "host": _text(address), "port": None}
    return None


def _paths(values: Sequence[object]) -> list[str]:
    """Absolute, so that the runner need not know the folder the program is in. Descriptors are no paths."""
    return [os.path.abspath(os.fsdecode(value)) for value in values if isinstance(value, (str, bytes, os.PathLike))]


def _text(value: object) -> str | None:
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    return value if isinstance(value, str) else None


class InterpreterWitness:
    """The runner's end of the pipe. All that comes over it is the program's word: bounded, checked, and marked so."""

    def __init__(self, pipe: int, workspace: str, libraries: Sequence[str]) -> None:
        os.set_blocking(pipe, False)
        self._pipe = pipe
        self._ledger = Ledger("interpreter", workspace, libraries)
        self._held = b""

    def fileno(self) -> int:
        return self._pipe

    def close(self) -> None:
        os.close(self._pipe)

    def handle(self) -> bool:
        """Take what lies in the pipe (a bounded part); False when nobody holds its other end any more."""
        try:
            data = os.read(self._pipe, _READ)
        except BlockingIOError:
            return True
        if not data:
            return False
        *lines, self._held = (self._held + data).split(b"\n")
        if len(self._held) > _LINE_BYTES:
            self._held = b""
            self._ledger.lost += 1
        for line in lines:
            self._take(line)
        return True

    def _take(self, line: bytes) -> None:
        try:
            told = json.loads(line)
            _LOOKS[_kind(told)](self._ledger, told)
        except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
            # Not what the hook writes: too long to be told, or the program wrote into the pipe.
            self._ledger.lost += 1

    def report(self) -> dict[str, Any]:
        """What was told since the last report, in the fields of Evidence."""
        while select.select([self._pipe], [], [], 0)[0] and self.handle():
            pass
        report = self._ledger.report()
        self._ledger.clear()
        return report


def _kind(told: Told) -> str:
    for kind in _LOOKS:
        if kind in told:
            return kind
    raise KeyError("no event")


def _note_files(ledger: Ledger, told: Told) -> None:
    if told["mode"] not in _MODES:
        raise ValueError(told["mode"])
    for path in told["paths"]:
        ledger.file(told["mode"], os.fsencode(path), contestable=True)


def _note_process(ledger: Ledger, told: Told) -> None:
    ledger.process([os.fsencode(word) for word in told["argv"]])


def _note_network(ledger: Ledger, told: Told) -> None:
    family, host, port, line = (told[key] for key in ("family", "host", "port", "line"))
    if not isinstance(family, str) or not all(isinstance(value, int | None) for value in (port, line)):
        raise TypeError("not an address")
    ledger.network(family[:32], None if host is None else host[:256], port, line)


_LOOKS: dict[str, Callable[[Ledger, Told], None]] = {
    "paths": _note_files, "argv": _note_process, "family": _note_network}


def add_lines(kernel: dict[str, Any], told: dict[str, Any]) -> dict[str, Any]:
    """The kernel's report with the program's lines of its network attempts, and the names that only Python saw."""
    lines = {(event["family"], event["host"], event["port"]): event["line"] for event in told["network_attempts"]}
    seen = []
    for event in kernel["network_attempts"]:
        key = event["family"], event["host"], event["port"]
        seen.append(event | {"line": lines.pop(key, None)})
    only_told = [event for event in told["network_attempts"]
                 if (event["family"], event["host"], event["port"]) in lines]
    return kernel | {"network_attempts": seen + only_told,
                     "events_lost": kernel["events_lost"] + told["events_lost"]}
