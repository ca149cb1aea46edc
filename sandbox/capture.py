"""What a program printed: all of it in a file up to a bound, head and tail of it in memory."""

import os
from collections import deque
from pathlib import Path

SHOWN_BYTES = 32 * 1024
"""Kept of each end of each stream for `Execution.stdout` and `.stderr`."""


class Captured:
    """One stream. The file is fresh and the caller's; bytes arrive in order."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.unlink(missing_ok=True)
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_bytes = 0
        self.kept = 0

    def add(self, data: bytes) -> None:
        self.kept += len(data)
        view = memoryview(data)
        while view:
            view = view[os.write(self._file, view):]
        room = SHOWN_BYTES - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if data:
            self._tail.append(data)
            self._tail_bytes += len(data)
            while self._tail_bytes - len(self._tail[0]) >= SHOWN_BYTES:
                self._tail_bytes -= len(self._tail.popleft())

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def text(self, total: int) -> tuple[str, bool]:
        """Head and tail as text (undecodable bytes replaced), and whether something of `total` bytes is left out."""
        tail = b"".join(self._tail)[-SHOWN_BYTES:]
        left_out = total - len(self._head) - len(tail)
        if left_out <= 0:
            return (bytes(self._head) + tail).decode("utf-8", "replace"), False
        # Cut at whole characters: half a character at a seam of ours is no fault of the program.
        head = _whole_end(bytes(self._head)).decode("utf-8", "replace")
        after = _whole_start(tail).decode("utf-8", "replace")
        return f"{head}\n[… {left_out} bytes left out …]\n{after}", True


def _whole_end(data: bytes) -> bytes:
    for back in range(1, min(4, len(data)) + 1):
        byte = data[-back]
        if byte >= 0xC0:
            needed = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return data[:-back] if back < needed else data
        if byte < 0x80:
            break
    return data


def _whole_start(data: bytes) -> bytes:
    for skip in range(min(3, len(data))):
        if not 0x80 <= data[skip] < 0xC0:
            return data[skip:]
    return data
