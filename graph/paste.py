"""A person as the model: the prompt is shown, and the reply of any chat is pasted at the terminal."""

import os
import select
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any

from .chat import Purpose, Reply
from .errors import ModelUnavailable
from .interrupting import stop_if_over
from .recording import position
from .state import Message, Usage

_TTY = "/dev/tty"
_END = b"\x04"
_ERASE = (b"\x7f", b"\x08")
_LARGEST = 2_000_000
_LOOK_S = 0.1
_NO_TERMINAL = ("--model paste needs a terminal to show the prompt and to take the reply; "
                "run it in one, or use recording:FILE")


class PasteChat:
    """Shows the prompt on the terminal and reads the reply until a line with a single `.` or Ctrl-D."""

    label = "paste"
    recorded = False

    def __init__(self, terminal: str = _TTY) -> None:
        self._terminal = terminal

    def unavailable(self) -> str | None:
        try:
            with _opened(self._terminal):
                return None
        except ModelUnavailable as error:
            return str(error)

    def ask(self, messages: Sequence[Message], *, purpose: Purpose, schema: dict[str, Any] | None = None,
            on_token: Callable[[str], None] | None = None, index: int | None = None) -> Reply:
        """What a person pasted. An empty plan or explanation is `absent`, so that its default serves.

        After the first reply of a conversation only the new turns are shown: the chat has the others already.
        Raises ModelUnavailable without a terminal, Cancelled when Ctrl-C is pressed.
        """
        new = list(messages) if position(messages, index) == 0 else _after_last_reply(messages)
        with _opened(self._terminal) as terminal:
            text = _pasted(terminal, _shown(new, purpose))
        if not text.strip() and purpose != "program":
            return Reply(finish_reason="absent", model=self.label)
        return Reply(text=text, finish_reason="stop", model=self.label, usage=Usage(calls=1))


def _after_last_reply(messages: Sequence[Message]) -> list[Message]:
    last = max((place for place, message in enumerate(messages) if message.role == "assistant"), default=-1)
    return list(messages[last + 1:])


def _shown(messages: Sequence[Message], purpose: Purpose) -> str:
    skip = "" if purpose == "program" else " An empty reply takes the default."
    body = "\n\n".join(message.content for message in messages)
    printable = "".join(letter for letter in body if letter in "\n\t" or letter.isprintable())
    return (f"\n──── prompt ({purpose}): copy it into a chat ────\n{printable}\n"
            f"──── paste the reply; end with a line that holds only . or with Ctrl-D.{skip} Ctrl-C ends the run. ────\n")


@contextmanager
def _opened(path: str) -> Iterator[IO[bytes]]:
    """The terminal itself, not stdin and stdout: these may be a pipe, and stdout belongs to the answer."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_NOCTTY)
    except OSError as error:
        raise ModelUnavailable(_NO_TERMINAL) from error
    with os.fdopen(handle, "r+b", buffering=0) as terminal:
        if not os.isatty(handle):
            raise ModelUnavailable(_NO_TERMINAL)
        yield terminal


def _pasted(terminal: IO[bytes], prompt: str) -> str:
    """Text up to the end mark. Read letter by letter, since a terminal's own line editing cuts lines at 4,095 bytes."""
    import termios

    handle = terminal.fileno()
    before = termios.tcgetattr(handle)
    raw = termios.tcgetattr(handle)
    raw[3] &= ~termios.ICANON
    raw[6][termios.VMIN], raw[6][termios.VTIME] = 1, 0
    termios.tcsetattr(handle, termios.TCSADRAIN, raw)
    text = bytearray()
    try:
        _write(handle, prompt.encode("utf-8", "replace"))
        while len(text) < _LARGEST:
            piece = _typed(handle)
            if not piece:
                break
            for byte in (bytes([value]) for value in piece):
                if byte == _END:
                    return _decoded(text)
                if byte in _ERASE:
                    _erase(text)
                    continue
                text += byte
                if byte == b"\n" and bytes(text[-3:]) in (b"\n.\n", b".\n"):
                    return _decoded(text[:-2])
    finally:
        termios.tcsetattr(handle, termios.TCSADRAIN, before)
    return _decoded(text)


def _typed(handle: int) -> bytes:
    """What comes next. This may be a worker thread, which no signal wakes, so it looks up between waits."""
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    while not poll.poll(int(1000 * _LOOK_S)):
        stop_if_over()
    return os.read(handle, 65536)


def _write(handle: int, content: bytes) -> None:
    while content:
        content = content[os.write(handle, content):]


def _erase(text: bytearray) -> None:
    """The last letter of the line, all bytes of it."""
    while text and text[-1] != 0x0A:
        if text.pop() & 0xC0 != 0x80:
            return


def _decoded(text: bytes | bytearray) -> str:
    return bytes(text).decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
