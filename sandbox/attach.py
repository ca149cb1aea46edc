"""The raw attach stream of a container as two plain pipes: what the daemon sends is always read, wanted or not.

A daemon whose attach stream is not drained cannot reap the container: kill, wait and remove hang (seen for more than
two minutes). So a thread reads until the end, and throws away what the host no longer takes.
"""

import io
import os
import select
import socket
import ssl
import struct
import threading
from contextlib import suppress
from typing import IO, Any, cast

_HEADER = struct.Struct(">BxxxL")
_STDERR = 2
_READ = 256 * 1024
_STDERR_KEPT = 16 * 1024
_LATER = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)


class AttachedStdin(io.RawIOBase):
    """Writes go to the container's stdin; closing ends it without ending the other direction."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._sock.fileno()

    def write(self, data: Any) -> int | None:
        """What the daemon takes now; None where the descriptor is non-blocking and it takes nothing."""
        try:
            return self._sock.send(data)
        except _LATER:
            return None

    def close(self) -> None:
        if not self.closed:
            super().close()
            with suppress(OSError):  # the other side is gone already
                self._sock.shutdown(socket.SHUT_WR)


class Attached:
    """An attached container: `stdin` and `stdout` as the engine hands them out, the end of stderr in memory."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self.stdin = cast("IO[bytes]", AttachedStdin(sock))
        reader, self._out = os.pipe()
        os.set_blocking(self._out, False)
        self.stdout: IO[bytes] = os.fdopen(reader, "rb", buffering=0)
        self._wake_reader, self._wake = os.pipe()
        self._discarding = False
        self._closing = threading.Lock()
        self._closed = False
        self._stderr = bytearray()
        self._dropped = 0
        self._thread = threading.Thread(target=self._pump, name="fumehood-attach", daemon=True)
        self._thread.start()

    def stderr(self) -> str:
        """The last 16 KiB that the runner itself wrote to stderr."""
        text = bytes(self._stderr).decode("utf-8", "backslashreplace").strip()
        return f"[{self._dropped} bytes before]\n{text}" if self._dropped else text

    def discard(self) -> None:
        """From now on read and throw away; ends a write to a host that does not read."""
        with self._closing:
            if not self._discarding:
                self._discarding = True
                os.write(self._wake, b"x")

    def join(self, timeout: float) -> bool:
        """Whether the stream ended within `timeout` seconds."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def close(self) -> None:
        """Let go of everything; a stream that has not ended is cut. Safe to call twice."""
        self.discard()
        with self._closing:
            if self._closed:
                return
            self._closed = True
            with suppress(OSError):  # it ended first
                self._sock.shutdown(socket.SHUT_RDWR)
            self._thread.join()
            self.stdin.close()
            self.stdout.close()
            self._sock.close()
            os.close(self._wake)
            os.close(self._wake_reader)

    def _pump(self) -> None:
        held = bytearray()
        stream, left = 0, 0
        try:
            while data := self._receive():
                held += data
                while held:
                    if left == 0:
                        if len(held) < _HEADER.size:
                            break
                        stream, left = _HEADER.unpack_from(held)
                        del held[:_HEADER.size]
                        continue
                    piece = bytes(held[:left])
                    del held[:left]
                    left -= len(piece)
                    if stream == _STDERR:
                        self._keep(piece)
                    else:
                        self._forward(piece)
        finally:
            os.close(self._out)

    def _receive(self) -> bytes:
        while True:
            try:
                return self._sock.recv(_READ)
            except _LATER:
                _wait((self._sock.fileno(), select.POLLIN))
            except OSError:
                return b""  # the daemon is gone, or close() cut the stream

    def _keep(self, piece: bytes) -> None:
        self._stderr += piece
        surplus = len(self._stderr) - _STDERR_KEPT
        if surplus > 0:
            del self._stderr[:surplus]
            self._dropped += surplus

    def _forward(self, piece: bytes) -> None:
        view = memoryview(piece)
        while view and not self._discarding:
            try:
                view = view[os.write(self._out, view):]
            except BlockingIOError:
                _wait((self._wake_reader, select.POLLIN), (self._out, select.POLLOUT))
            except BrokenPipeError:
                self._discarding = True


def _wait(*wanted: tuple[int, int]) -> None:
    """Until one of the descriptors is ready. Not select(): a host may have more than 1,024 of them open."""
    poll = select.poll()
    for descriptor, event in wanted:
        poll.register(descriptor, event)
    poll.poll()
