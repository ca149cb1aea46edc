"""Whether a text is Python, what can be mended without guessing, and how to tell a model what is wrong."""

import ast
import html
import re
import textwrap
import threading
import unicodedata
import warnings
from functools import lru_cache
from typing import NamedTuple

from .lexical import bare, outside
from .transcript import is_session, unescaped, without_line_numbers, without_prompts

MAX_PROGRAM_CHARS = 100_000
_WIDTH = 160
# Filters of warnings belong to the whole process: one thread at a time may change them.
_FILTERS = threading.Lock()
_UNWRITABLE = re.compile("[\0\ud800-\udfff]")


class SyntaxProblem(NamedTuple):
    """The first reason why a text is no Python."""

    message: str
    line: int | None
    column: int | None
    """1-based, in characters."""


@lru_cache(maxsize=16)
def problem(program: str) -> SyntaxProblem | None:
    """Null when the text compiles as a module. Nothing of it is run."""
    if len(program) > MAX_PROGRAM_CHARS:
        return SyntaxProblem(f"the program has {len(program):,} characters; at most {MAX_PROGRAM_CHARS:,} are taken",
                             None, None)
    try:
        with _FILTERS, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(program, "program.py", "exec", dont_inherit=True)
    except SyntaxError as error:
        return SyntaxProblem(error.msg or "invalid syntax", error.lineno or _line_of(program, _UNWRITABLE), error.offset)
    except (RecursionError, MemoryError, OverflowError):
        return SyntaxProblem("the program is nested too deeply", None, None)
    except ValueError as error:  # NUL bytes and lone surrogates, which no source file can hold
        return SyntaxProblem(str(error), _line_of(program, _UNWRITABLE), None)
    return None


def parses(program: str) -> bool:
    return problem(program) is None


@lru_cache(maxsize=16)
def parse(program: str) -> ast.Module | None:
    """The tree of a program that compiles, else null. Shared between callers: read it only."""
    if problem(program) is not None:
        return None
    with _FILTERS, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(program)


@lru_cache(maxsize=16)
def statements(program: str) -> tuple[str, ...] | None:
    """What each top-level statement is, without comments and places; null for text that has no tree, or one too deep."""
    tree = parse(program)
    try:
        return None if tree is None else tuple(ast.dump(node) for node in tree.body)
    except RecursionError:
        return None


_SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_INVISIBLE = re.compile("[\u200b\u2060\ufeff]")
_ENTITY = re.compile(r"&(lt|gt|amp|quot|apos|nbsp|#\d{2,5}|#x[0-9a-fA-F]{2,4});")


def _plain_spaces(text: str) -> str:
    if not (_SPACES.search(text) or _INVISIBLE.search(text)):
        return text
    return outside(text, lambda code: _INVISIBLE.sub("", _SPACES.sub(" ", code)))


def _without_entities(text: str) -> str:
    return html.unescape(text) if _ENTITY.search(text) else text


_ENTITIES = "HTML entities such as &lt; were read as the characters they stand for"
_MENDS = (
    (without_line_numbers, "the numbers before the lines were left out"),
    (unescaped, "line breaks written as \\n were read as line breaks"),
    (_plain_spaces, "no-break and other odd spaces outside strings were read as spaces"),
    (textwrap.dedent, "the whole program was indented"),
    (_without_entities, _ENTITIES),
)


def mend(program: str) -> tuple[str, list[str]]:
    """The program with faults of transport undone, and what was done; unchanged where that does not make it compile."""
    # `In [1]: x = 3` is valid Python (an annotation), and never what was meant.
    if is_session(program) and parses(statements_alone := _plain_spaces(without_prompts(program))):
        return statements_alone, ["the prompts and outputs of a session were left out"]
    escaped = {match[1] for match in _ENTITY.finditer(bare(program))} if "&" in program else set()
    # `a &lt; b` is valid Python (two statements), and never what was meant.
    if escaped and not any(re.search(rf"\b{name}\s*=[^=]", program) for name in escaped if name.isalpha()):
        plain = _plain_spaces(html.unescape(program))
        if parses(plain):
            return plain, [_ENTITIES]
    if parses(program):
        return program, []
    candidate, notes = program, []
    for change, note in _MENDS:
        changed = change(candidate)
        if changed != candidate:
            candidate = changed
            notes.append(note)
            if parses(candidate):
                return candidate, notes
    return program, []


def odd_characters(program: str) -> list[tuple[int, str]]:
    """Characters outside strings and comments that Python takes nowhere: line, character; each character once."""
    found: dict[str, int] = {}
    for number, line in enumerate(bare(program).split("\n"), 1):
        for char in line:
            if (ord(char) > 126 or (ord(char) < 32 and char not in "\t\f\r")) and not ("a" + char).isidentifier():
                found.setdefault(char, number)
    return [(number, char) for char, number in found.items()]


_HINTS = (
    (r"unicodeescape|codec can't decode", "Write the path with forward slashes, or as a raw string: r\"C:\\Users\\...\"."),
    (r"call to 'print'", "This is Python 3: print is a function, print(value)."),
    (r"call to 'exec'", "This is Python 3."),
    (r"unterminated (f-)?string literal|EOL while", "A string in simple quotes cannot go over the end of a line: "
     "use \\n inside it, or triple quotes."),
    (r"was never closed|unexpected EOF", "Close what is opened there; if your program was longer, send all of it."),
    (r"unterminated triple-quoted|f-string: expecting",
     "Check the quotes: the ones inside must differ from the ones around."),
    (r"expected an indented block|unexpected indent|unindent does not match|inconsistent use of tabs",
     "Indent every block by four spaces and nothing else."),
    (r"outside function", "At the top level there is no return, yield or await: print the value or call "
     "final_answer(value); for coroutines use asyncio.run(main())."),
    (r"from __future__", "Imports from __future__ must be the first lines of the whole program."),
    (r"leading zeros", "Write whole numbers without leading zeros, or as text in quotes."),
    (r"cannot assign|invalid syntax. Maybe you meant '==' or ':='", "Compare with ==, assign with =."),
    (r"nested too deeply", "Split the expression over several statements."),
    (r"null bytes|surrogates", "Write such characters as escapes inside a string: \\x00, \\ud800."),
)


def _hint(program: str, fault: SyntaxProblem) -> str:
    lines = program.split("\n")
    line = lines[fault.line - 1].strip() if fault.line and fault.line <= len(lines) else ""
    if re.match(r"[!%?]|\w+\?$", line):
        return (f"`{line[:80]}` is a notebook command. There is no notebook, no shell and no installing here: "
                "leave it out and use what can be imported.")
    if line.startswith((">>>", "...")):
        return "Leave out the prompts (>>> and ...) and the outputs; send the statements alone."
    if re.match(r"(pip|conda|apt|python3?)\s", line):
        return "There is no shell and nothing can be installed: send Python only."
    return next((hint for pattern, hint in _HINTS if re.search(pattern, fault.message)), "")


def _line_of(program: str, pattern: re.Pattern[str]) -> int | None:
    match = pattern.search(program)
    return program.count("\n", 0, match.start()) + 1 if match else None


def _shown(text: str) -> str:
    return re.sub("[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]",
                  lambda m: f"\\u{ord(m[0]):04x}", text)


def _excerpt(program: str, fault: SyntaxProblem) -> list[str]:
    """Up to three lines with a caret under the fault; long lines are cut around it."""
    lines = program.split("\n")
    if not fault.line or fault.line > len(lines):
        return []
    shown = []
    for number in range(max(1, fault.line - 1), min(len(lines), fault.line + 1) + 1):
        text, column = lines[number - 1].rstrip("\r").replace("\t", " "), (fault.column or 1) - 1
        start = max(0, column - _WIDTH // 2) if number == fault.line and len(text) > _WIDTH else 0
        shown.append(f"{'>' if number == fault.line else ' '} {number:4} | {_shown(text[start:start + _WIDTH])}")
        if number == fault.line and fault.column:
            shown.append("         " + " " * len(_shown(text[start:max(start, column)])) + "^")
    return shown


def describe(program: str, fault: SyntaxProblem) -> str:
    """The fault as a model needs it: line, message, caret, code points, and the way out. At most about 2,500 characters."""
    where = f" at line {fault.line}" + (f", column {fault.column}" if fault.column else "") if fault.line else ""
    parts = [f"Your program is not valid Python, so it was not run. SyntaxError{where}: {_shown(fault.message[:400])}"]
    parts += _excerpt(program, fault)
    odd = odd_characters(program)[:6] if fault.line else []
    if odd:
        named = "; ".join(f"{_shown(char)} (U+{ord(char):04X} {unicodedata.name(char, 'unnamed')}) at line {number}"
                          for number, char in odd)
        parts.append(f"Python does not take these characters outside strings: {named}. "
                     "Use plain ASCII quotes, spaces and signs.")
    hint = _hint(program, fault)
    if hint:
        parts.append(hint)
    return "\n".join(parts)


def open_at_end(program: str, fault: SyntaxProblem) -> bool:
    """Whether the fault is that the text stops too early: an open bracket or string, a block without a body."""
    if re.search(r"was never closed|unterminated triple-quoted|unexpected EOF", fault.message):
        return True
    last = len(program.rstrip().split("\n"))
    if re.search(r"expected an indented block|expected 'except' or 'finally'", fault.message):
        return (fault.line or 0) >= last
    ends = (fault.line or 0) >= last and (fault.column or 0) >= len(program.rstrip().split("\n")[-1])
    return ("unterminated" in fault.message and (fault.line or 0) >= last) or ends
