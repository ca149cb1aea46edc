"""The framed protocol between host and runner: one byte of kind, four of length, the payload.

Shared by both sides. Nothing that a program writes is ever parsed as a frame: its pipes end in the runner.
"""

import json
import struct
from typing import Any

VERSION = 1
JSON = b"J"
DATA = b"D"
"""Bytes of a file, of a program or of a delivered value; the JSON frame before says of which and how many."""
STDOUT = b"O"
STDERR = b"E"

CHUNK = 256 * 1024
MAX_JSON = 16 * 1024 * 1024
_HEADER = struct.Struct("!cI")


class BrokenFrame(Exception):
    """The other side sent what the protocol does not know."""


def encode(kind: bytes, payload: bytes) -> bytes:
    return _HEADER.pack(kind, len(payload)) + payload


def encode_json(message: dict[str, Any], kind: bytes = JSON) -> bytes:
    payload = json.dumps(message).encode()
    if len(payload) > MAX_JSON:
        raise BrokenFrame(f"a message of {len(payload)} bytes is more than the protocol carries")
    return encode(kind, payload)


BOUNDS = {JSON: MAX_JSON, DATA: CHUNK, STDOUT: CHUNK, STDERR: CHUNK}


class Decoder:
    """Bytes in, frames out. `bounds` has the kinds that may come, and the most bytes that each may carry."""

    def __init__(self, bounds: dict[bytes, int] = BOUNDS) -> None:
        self._held = bytearray()
        self._bounds = bounds

    def feed(self, data: bytes) -> None:
        self._held += data

    def next(self) -> tuple[bytes, bytes] | None:
        """The next whole frame, or None. Raises BrokenFrame for an unknown kind or an oversized length."""
        if len(self._held) < _HEADER.size:
            return None
        kind, length = _HEADER.unpack_from(self._held)
        if kind not in self._bounds:
            raise BrokenFrame(f"unknown kind of frame {kind!r}")
        if length > self._bounds[kind]:
            raise BrokenFrame(f"a frame of {length} bytes is more than the protocol carries")
        end = _HEADER.size + length
        if len(self._held) < end:
            return None
        payload = bytes(self._held[_HEADER.size:end])
        del self._held[:end]
        return kind, payload


def decode_json(payload: bytes) -> dict[str, Any]:
    try:
        message = json.loads(payload)
    except (ValueError, RecursionError) as error:
        raise BrokenFrame(f"a message that is not JSON: {str(error)[:200]}") from None
    if not isinstance(message, dict):
        raise BrokenFrame("a message that is not a JSON object")
    return message
