"""Program output as a reader sees it: control codes carried out or spelled out, and cut in the middle to a budget."""

import re

_SEQUENCE = re.compile(
    r"(?:\x1b\]|\x9d)[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?"        # OSC: titles, links
    r"|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x1b\x9c\n]*(?:\x1b\\|\x9c)?"  # DCS, SOS, PM, APC
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"                            # CSI: colours, cursor, erase
    r"|\x1b[ -/]*[0-~]?")                                           # the other escapes, and a lone ESC
# Controls, direction marks that reorder a line, invisible characters, halves of characters. Joiners stay: emoji and
# several scripts need them.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")


def _spelled(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"


def _backspaced(line: str) -> str:
    kept: list[str] = []
    for char in line:
        if char != "\b":
            kept.append(char)
        elif kept:
            kept.pop()
    return "".join(kept)


def _line(line: str) -> str:
    """Of one line what is left on a terminal: the text after the last carriage return that something follows."""
    line = line.rstrip("\r")
    if "\r" in line:
        line = line[line.rfind("\r") + 1:]
    return _backspaced(line) if "\b" in line else line


def readable(text: str) -> str:
    """The text without escape sequences, overwritten progress and invisible characters; NUL becomes `\\x00`."""
    text = _SEQUENCE.sub("", text)
    if "\r" in text or "\b" in text:
        text = "\n".join(_line(line) for line in text.split("\n"))
    return _UNSEEN.sub(_spelled, text)


def clipped(text: str, budget: int, *, left_out: int = 0, unit: str = "characters") -> str:
    """Head and tail of the text within `budget` characters, with the amount between them.

    `left_out`: what was already missing, counted in `unit`; the cut adds to it.
    """
    if len(text) <= budget:
        return text
    room = max(budget - 80, 0)
    head, tail = text[:room - room // 2], text[len(text) - room // 2:]
    # Whole lines where that costs little; a single endless line is cut inside.
    if (end := head.rfind("\n")) > len(head) * 3 // 4:
        head = head[:end + 1]
    if -1 < (start := tail.find("\n")) < len(tail) // 4:
        tail = tail[start + 1:]
    gone = left_out + len(text) - len(head) - len(tail)
    mark = f"[… {gone:,} {unit} left out here …]"
    return f"{head.rstrip()}\n{mark}\n{tail}"[:budget] if budget > len(mark) else text[:budget]
