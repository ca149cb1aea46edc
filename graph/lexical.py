"""Where strings and comments lie in text that may be no valid Python.

The standard tokenizer gives up at the first fault; here the faulty text is the ordinary case.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

_OPENING = re.compile(r"#[^\n]*|\"\"\"|'''|[\"']")
_ENDING = {
    opening: re.compile(rf"\\.|{opening}" + (r"|\n" if len(opening) == 1 else ""), re.S)
    for opening in ('"""', "'''", '"', "'")
}
"""What ends a string, and the escapes that hide such an end. One regex for a whole string would need a possessive group,
which Python before 3.11.5 matches wrongly (gh-106052), or a stack as deep as the text is long."""


class Span(NamedTuple):
    """One string or comment: `text[start:end]`."""

    start: int
    end: int
    comment: bool
    closed: bool
    """False for a triple-quoted string that runs to the end of the text."""


def spans(text: str) -> list[Span]:
    """Strings and comments in order, in linear time, whatever the text."""
    found, position = [], 0
    while (match := _OPENING.search(text, position)) is not None:
        comment = match[0][0] == "#"
        position, closed = (match.end(), True) if comment else _string_end(text, match.end(), match[0])
        found.append(Span(match.start(), position, comment, closed))
    return found


def _string_end(text: str, position: int, opening: str) -> tuple[int, bool]:
    """Where the string that was opened before `position` ends, and whether it is closed. One in simple quotes ends with
    its line at the latest, which counts as closed."""
    for match in _ENDING[opening].finditer(text, position):
        if match[0] == opening:
            return match.end(), True
        if match[0] == "\n":
            return match.start(), True
    return len(text), len(opening) == 1


def outside(text: str, change: Callable[[str], str]) -> str:
    """The text with `change` applied to all that is neither string nor comment."""
    parts, position = [], 0
    for span in spans(text):
        parts += [change(text[position:span.start]), text[span.start:span.end]]
        position = span.end
    return "".join([*parts, change(text[position:])])


def bare(text: str) -> str:
    """The text with every string and comment blanked out; offsets and lines stay the same."""
    parts, position = [], 0
    for span in spans(text):
        parts += [text[position:span.start], re.sub(r"[^\n]", " ", text[span.start:span.end])]
        position = span.end
    return "".join([*parts, text[position:]])


def comments(text: str) -> list[str]:
    return [text[span.start:span.end] for span in spans(text) if span.comment]


def string_lines(text: str) -> set[int]:
    """0-based numbers of the lines that begin inside a string."""
    found: set[int] = set()
    line, position = 0, 0
    for span in spans(text):
        line += text.count("\n", position, span.start)
        inner = text.count("\n", span.start, span.end)
        found.update(range(line + 1, line + inner + 1))
        if not span.closed:
            found.add(line + inner + 1)
        line, position = line + inner, span.end
    return found
