"""The network connection of one call to a model server, so that another thread can cut it."""

import contextvars
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, TypeVar

Piece = TypeVar("Piece")
_current: "contextvars.ContextVar[Line | None]" = contextvars.ContextVar("fumehood_line", default=None)
_OPENED = ("connection.connect_tcp.complete", "connection.connect_unix_socket.complete", "connection.start_tls.complete")


class Line:
    """What the client opened for one call. Cutting it ends a read that waits for a silent server, and tells the server
    that nobody listens any more."""

    def __init__(self) -> None:
        self._socket: socket.socket | None = None
        self._cut = False

    def over(self, make: Callable[[], Iterator[Piece]]) -> Callable[[], Iterator[Piece]]:
        """`make`, with its requests sent over this line."""
        def made() -> Iterator[Piece]:
            _current.set(self)
            yield from make()
        return made

    def cut(self) -> None:
        """Close the connection, now or as soon as it is there."""
        self._cut = True
        if self._socket is not None:
            with suppress(OSError):  # it ended by itself
                self._socket.shutdown(socket.SHUT_RDWR)

    def opened(self, name: str, info: dict[str, Any]) -> None:
        """The client's trace of a request."""
        if name in _OPENED:
            self._socket = info["return_value"].get_extra_info("socket")
            if self._cut:
                self.cut()


def watch(request: Any) -> None:
    """For the client's hook of requests: let the line of this call hear what is opened for it."""
    line = _current.get()
    if line is not None:
        request.extensions["trace"] = line.opened
