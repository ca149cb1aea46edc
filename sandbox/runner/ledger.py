"""The list of what a witness saw: repeated events counted, bounded, what did not fit counted as lost."""

import os
import stat
from collections.abc import Sequence
from typing import Any

MOST_EVENTS = 2000
"""Distinct events of one run that are kept one by one."""
_MOST_TEXT = 1024
_MOST_ARGUMENTS = 32

READING = "read"
_SEMAPHORES = b"/dev/shm/sem."
"""multiprocessing makes dozens, under random names, and means nothing by them."""

_MACHINE = (b"/sys/devices/system/", b"/sys/kernel/mm/", b"/sys/fs/cgroup/", b"/proc/stat", b"/proc/cpuinfo",
            b"/proc/meminfo", b"/proc/sys/vm/")
"""Numeric libraries ask there for processors and memory whenever they are loaded, and take no for an answer."""


def printable(name: bytes, limit: int = _MOST_TEXT) -> str:
    """A name as text: UTF-8 where it is, escapes where it is not, head and tail of what is too long."""
    if len(name) > limit:
        name = name[: limit // 2] + b" ... " + name[-limit // 2:]
    text = name.decode("utf-8", "backslashreplace")
    return "".join(character if character.isprintable() else ascii(character)[1:-1] for character in text)


class Ledger:
    """Events of one run. `witness` says who saw them; `libraries` are folders whose reads are only counted."""

    def __init__(self, witness: str, workspace: str, libraries: Sequence[str] = ()) -> None:
        self.library_reads = 0
        self.lost = 0
        self._witness = witness
        self._workspace = os.fsencode(workspace.rstrip("/")) + b"/"
        self._libraries = tuple(os.fsencode(path.rstrip("/")) + b"/" for path in libraries)
        self._files: dict[tuple[str, bytes, bool, bool], list[int | None]] = {}
        self._network: dict[tuple[str, str | None, int | None, int | None], int] = {}
        self._processes: dict[tuple[tuple[str, ...], bool], int] = {}

    def clear(self) -> None:
        self.library_reads = self.lost = 0
        self._files.clear()
        self._network.clear()
        self._processes.clear()

    def _room(self, known: bool) -> bool:
        if known or len(self._files) + len(self._network) + len(self._processes) < MOST_EVENTS:
            return True
        self.lost += 1
        return False

    def file(self, mode: str, path: bytes, *, size: int | None = None, refused: bool = False,
             contestable: bool = False) -> None:
        """One event on an absolute path. Modes are those of FileEvent."""
        if mode == READING and self._is_of_libraries(path, refused):
            self.library_reads += 1
            return
        if path.startswith(_SEMAPHORES):
            path = _SEMAPHORES + b"*"
        key = (mode, path, refused, contestable)
        if self._room(key in self._files):
            count, known_size = self._files.get(key, [0, None])
            self._files[key] = [(count or 0) + 1, known_size if size is None else size]

    def _is_of_libraries(self, path: bytes, refused: bool) -> bool:
        if path.startswith(_MACHINE):
            return True
        return not refused and path.startswith(self._libraries) and not path.startswith(self._workspace)

    def network(self, family: str, host: str | None, port: int | None, line: int | None = None) -> None:
        key = (family, host, port, line)
        if self._room(key in self._network):
            self._network[key] = self._network.get(key, 0) + 1

    def process(self, argv: Sequence[bytes], *, refused: bool = False) -> None:
        key = (tuple(printable(word, 256) for word in argv[:_MOST_ARGUMENTS]), refused)
        if self._room(key in self._processes):
            self._processes[key] = self._processes.get(key, 0) + 1

    def _shown(self, path: bytes) -> str:
        return printable(path.removeprefix(self._workspace))

    def report(self) -> dict[str, Any]:
        """The events, JSON-able, in the fields of Evidence. Sizes of written files are those they have now."""
        read: list[dict[str, Any]] = []
        written: list[dict[str, Any]] = []
        for (mode, path, refused, contestable), (count, size) in self._files.items():
            if mode == "write" and not refused:
                size = _size_now(path)
            event = {"path": self._shown(path), "mode": mode, "bytes": size, "count": count,
                     "witness": self._witness, "contestable": contestable, "refused": refused}
            (read if mode == READING else written).append(event)
        return {
            "witness": self._witness, "files_read": read, "files_written": written,
            "network_attempts": [{"family": family, "host": host, "port": port, "line": line, "count": count,
                                  "witness": self._witness}
                                 for (family, host, port, line), count in self._network.items()],
            "processes": [{"argv": list(argv), "count": count, "witness": self._witness, "refused": refused}
                          for (argv, refused), count in self._processes.items()],
            "library_reads": self.library_reads, "events_lost": self.lost,
        }


def _size_now(path: bytes) -> int | None:
    try:
        found = os.lstat(path)
    except (OSError, ValueError):
        return None
    return found.st_size if stat.S_ISREG(found.st_mode) else None
