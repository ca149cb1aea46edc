"""The line between runner and child: a socket pair of its own, in the child's hands while the program runs.

So all that comes from the child over it is the program's word, bounded and never more than data. What comes before
`STARTED` comes from the runner's own code in the child, before any line of the program ran.
"""

import json
import re
import socket
from typing import Any

from . import frames

LISTENER = b"L"
"""Child: the number of the seccomp listener in its table of descriptors, -1 for none; alone also the listener itself."""
GO = b"G"
"""Runner: run this program now."""
STARTED = b"S"
"""Child: limits are set; the program is next."""
ANSWER = b"A"
"""Child: the JSON text of one final_answer()."""
ERROR = b"X"
"""Child: the exception that ended the program."""
CALL = b"C"
"""Child: a tool is called."""
REPLY = b"R"
"""Runner: what the tool gave."""
DONE = b"F"
"""Child: this program ended with this exit code. As good as the exit itself, which the program chooses as freely; and it
spares the wait for the kernel to take a large process apart. Whatever still runs then is killed."""

_SMALL = 64 * 1024
_dumps, _loads = json.dumps, json.loads
"""Bound before there is a program, which may replace the names."""
CALL_BYTES = 1024 * 1024
REPLY_BYTES = 8 * 1024 * 1024


MOST_VALUES = 1_000_000
"""In one delivered value. Whoever parses it makes an object of each, fifty times as large as the text `[],`."""
_TEXTS = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\Z)', re.DOTALL)
"""Texts in JSON; one that never ends reaches to the end, so that it is looked for only once."""


def values_in(text: bytes) -> int:
    """An upper bound of the number of values in a JSON text, counted without making any of them."""
    count = _marks(text)
    return count if count <= MOST_VALUES else _marks(_TEXTS.sub(b"", text))


def _marks(text: bytes) -> int:
    return 1 + text.count(b",") + text.count(b"[") + text.count(b"{") + text.count(b":")


def from_child(answer_bytes: int) -> frames.Decoder:
    """What the runner accepts of a child whose answers may have at most so many bytes."""
    return frames.Decoder({LISTENER: _SMALL, STARTED: _SMALL, ANSWER: answer_bytes, ERROR: 4 * _SMALL,
                           CALL: CALL_BYTES, DONE: _SMALL})


class ChildEnd:
    """The child's end: blocking, one message at a time."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._decoder = frames.Decoder({GO: frames.MAX_JSON, REPLY: REPLY_BYTES})

    def fileno(self) -> int:
        return self._end.fileno()

    def send(self, kind: bytes, message: dict[str, Any]) -> None:
        self.send_bytes(kind, _dumps(message).encode())

    def send_bytes(self, kind: bytes, payload: bytes) -> None:
        self._end.sendall(frames.encode(kind, payload))

    def send_descriptor(self, kind: bytes, message: dict[str, Any], descriptor: int) -> None:
        """A message that carries a descriptor (SCM_RIGHTS)."""
        socket.send_fds(self._end, [frames.encode(kind, _dumps(message).encode())], [descriptor])

    def receive(self) -> tuple[bytes, bytes] | None:
        """The next message, or None when the runner is gone, or the program closed the link."""
        while True:
            message = self._decoder.next()
            if message is not None:
                return message
            try:
                data = self._end.recv(65536)
            except OSError:
                return None
            if not data:
                return None
            self._decoder.feed(data)


def read(payload: bytes) -> dict[str, Any]:
    """A message of the runner to its child."""
    message: dict[str, Any] = _loads(payload)
    return message
