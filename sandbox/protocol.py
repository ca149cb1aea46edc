"""The host's side of the framed protocol: every wait has a deadline, every size a bound, whatever the sandbox does."""

import fcntl
import os
import select
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import IO, Any

from .errors import SandboxFailed
from .runner import frames

_PIPE_BYTES = 1024 * 1024


class Silent(Exception):
    """Nothing came within the time given."""


class Channel:
    """Frames over a sandbox's two pipes. One user at a time. Raises SandboxFailed when the other side is gone or
    speaks what the protocol does not know."""

    def __init__(self, stdin: IO[bytes], stdout: IO[bytes]) -> None:
        self._stdin = stdin
        self._stdout = stdout
        self._decoder = frames.Decoder()
        self._readable = select.poll()
        self._readable.register(stdout.fileno(), select.POLLIN)
        os.set_blocking(stdin.fileno(), False)
        _widen(stdin.fileno())

    def quiet(self) -> bool:
        """Nothing can be read. A runner that waits for orders says nothing, so anything else is its end."""
        return not self._readable.poll(0)

    def send(self, message: dict[str, Any], data: bytes = b"", *, deadline: float) -> None:
        """One JSON frame, and the data that it announces. `deadline` on time.monotonic(); Silent when the sandbox does not
        take it until then."""
        self.send_bytes(b"".join([frames.encode_json(message), *_data(data)]), deadline=deadline)

    def send_data(self, chunks: Iterable[bytes], *, deadline: float) -> None:
        for chunk in chunks:
            for frame in _data(chunk):
                self.send_bytes(frame, deadline=deadline)

    def send_bytes(self, data: bytes, *, deadline: float) -> None:
        view = memoryview(data)
        poll = select.poll()
        poll.register(self._stdin.fileno(), select.POLLOUT)
        try:
            while view:
                try:
                    sent = self._stdin.write(view)
                except BlockingIOError:
                    sent = None
                if not sent:
                    if not poll.poll(_milliseconds(deadline)):
                        raise Silent
                    continue
                view = view[sent:]
        except OSError as error:
            raise SandboxFailed(f"the sandbox takes no more orders ({error.strerror})") from error

    def receive(self, *, deadline: float) -> tuple[bytes, bytes]:
        """The next frame. Silent at the deadline."""
        try:
            while (frame := self._decoder.next()) is None:
                if not self._readable.poll(_milliseconds(deadline)):
                    raise Silent
                data = self._stdout.read(frames.CHUNK)
                if data is None:
                    continue
                if not data:
                    raise SandboxFailed("the sandbox ended")
                self._decoder.feed(data)
        except (frames.BrokenFrame, OSError, ValueError) as error:
            raise SandboxFailed(f"the sandbox sent something else than its protocol: {error}") from error
        return frame

    def receive_json(self, *, deadline: float) -> dict[str, Any]:
        """The next frame, which must be JSON."""
        kind, payload = self.receive(deadline=deadline)
        if kind != frames.JSON:
            raise SandboxFailed("the sandbox sent data where an answer was due")
        return _json(payload)

    def receive_data(self, size: int, take: Callable[[bytes], None], *, deadline: float) -> None:
        """Exactly `size` bytes of data frames, piece by piece to `take`."""
        while size > 0:
            kind, payload = self.receive(deadline=deadline)
            if kind != frames.DATA or not payload or len(payload) > size:
                raise SandboxFailed("the sandbox sent other data than it announced")
            size -= len(payload)
            take(payload)

    def ask(self, message: dict[str, Any], *, deadline: float) -> dict[str, Any]:
        """Send an order and wait for its answer."""
        self.send(message, deadline=deadline)
        return self.receive_json(deadline=deadline)


def _data(chunk: bytes) -> Iterator[bytes]:
    for start in range(0, len(chunk), frames.CHUNK):
        yield frames.encode(frames.DATA, chunk[start:start + frames.CHUNK])


def _widen(number: int) -> None:
    """Room in a pipe for most inputs whole, so that sending one is not a turn of each side per 64 KiB."""
    if stat.S_ISFIFO(os.fstat(number).st_mode):
        with suppress(OSError):  # above what this user may have in pipes: then in turns
            fcntl.fcntl(number, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


def _json(payload: bytes) -> dict[str, Any]:
    try:
        return frames.decode_json(payload)
    except (frames.BrokenFrame, RecursionError) as error:
        raise SandboxFailed(f"the sandbox sent something else than its protocol: {error}") from error


def in_seconds(seconds: float) -> float:
    """A deadline that far away."""
    return time.monotonic() + seconds


def _milliseconds(deadline: float) -> int:
    return max(0, int(1000 * (deadline - time.monotonic())) + 1)
