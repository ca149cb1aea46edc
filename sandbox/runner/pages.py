"""Memory pages that are written to whatever is run, learned once and copied ahead after each fork.

A forked process shares its memory with its parent until one of them writes: then the kernel stops it, copies the page and
goes on, some 2,000 times for a first job with pandas, at a few microseconds each. One call copies many at a fifth of that.
"""

import errno
import os
import re
from array import array
from collections.abc import Callable

from .confine import syscall

_PAGE = os.sysconf("SC_PAGE_SIZE")
_POPULATE_WRITE = 23
_WRITABLE = re.compile(rb"^([0-9a-f]+)-([0-9a-f]+) rw.p ", re.MULTILINE)
_PRESENT, _OF_A_FILE, _EXCLUSIVE = 1 << 63, 1 << 61, 1 << 56
_GAP = 1
"""So few untouched pages between two are copied along: a page is cheaper than one more call."""

Ranges = list[tuple[int, int]]
"""Address and size of each."""


def learn(act: Callable[[], None]) -> Ranges:
    """What a child of this process writes to when it calls `act`; empty where the kernel does not tell."""
    before = _writable()
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(read)
            act()
            with os.fdopen(write, "wb") as told:
                told.write(array("Q", _written(before)).tobytes())
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as told:
        data = told.read()
    os.waitpid(pid, 0)
    numbers = array("Q", data[:len(data) // 8 * 8])
    return _joined(numbers)


def copy_ahead(ranges: Ranges) -> bool:
    """Make these pages this process's own now. False where nothing is known or the kernel cannot (before Linux 5.14)."""
    for address, size in ranges:
        try:
            syscall("madvise", address, size, _POPULATE_WRITE)
        except OSError as error:
            if error.errno != errno.ENOMEM:  # ENOMEM: not mapped any more
                return False
    return bool(ranges)


def _writable() -> list[tuple[int, int]]:
    with open("/proc/self/maps", "rb") as maps:
        return [(int(start, 16), int(end, 16)) for start, end in _WRITABLE.findall(maps.read())]


def _written(areas: list[tuple[int, int]]) -> list[int]:
    """Numbers of the pages there that no other process shares."""
    found = []
    try:
        table = os.open("/proc/self/pagemap", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return []
    for start, end in areas:
        first = start // _PAGE
        entries = array("Q", os.pread(table, (end - start) // _PAGE * 8, first * 8))
        found += [first + at for at, entry in enumerate(entries)
                  if entry & _PRESENT and entry & _EXCLUSIVE and not entry & _OF_A_FILE]
    os.close(table)
    return found


def _joined(numbers: "array[int]") -> Ranges:
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number - ranges[-1][1] <= _GAP:
            ranges[-1][1] = number + 1
        else:
            ranges.append([number, number + 1])
    return [(first * _PAGE, (end - first) * _PAGE) for first, end in ranges]
