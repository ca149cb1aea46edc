"""Where strings and comments lie in text that may be no valid Python.

The standard tokenizer gives up at the first fault; here the faulty text is the ordinary case.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

# Possessive, so that a megabyte of text costs neither stack nor backtracking.
_LEXEME = re.compile(r'''
    (?P<comment>\#[^\n]*+)
  | """(?:[^"\\]++|\\.|"(?!""))*+(?P<end2>"""|\\?\Z)
  | \'\'\'(?:[^'\\]++|\\.|'(?!''))*+(?P<end1>\'\'\'|\\?\Z)
  | "(?:[^"\\\n]++|\\.)*+(?:"|\\?(?=\n|\Z))
  | '(?:[^'\\\n]++|\\.)*+(?:'|\\?(?=\n|\Z))
''', re.X | re.S)


class Span(NamedTuple):
    """One string or comment: `text[start:end]`."""

    start: int
    end: int
    comment: bool
    closed: bool
    """False for a triple-quoted string that runs to the end of the text."""


def spans(text: str) -> list[Span]:
    """Strings and comments in order, in linear time, whatever the text."""
    found = []
    for match in _LEXEME.finditer(text):
        end = match["end2"] if match["end2"] is not None else match["end1"]
        found.append(Span(match.start(), match.end(), match["comment"] is not None, end is None or len(end) == 3))
    return found


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
