"""The bytes of a program: what Python and a scanner must read alike, before anything is parsed.

Everything refused here was seen to run under CPython while Semgrep 1.185 reported a clean scan: encodings named in a
comment, a lone carriage return, NUL, archives with a Python file inside, names that change under NFKC. Nothing of it
occurs in ordinary programs, so there is no list of exceptions; only the joiners inside of emoji and of some scripts are
part of a visible sign.
"""

import io
import re
import tokenize
import unicodedata
import warnings
from ast import Module, parse
from threading import Lock

from .verdict import Finding

MAX_BYTES = 100_000
"""Longest program, in bytes of UTF-8. Semgrep's own default (1 MB, then it skips the file) is never reached."""

_COOKIE = re.compile(r"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_UTF8 = re.compile(r"^utf[-_]?8$", re.IGNORECASE)
_MAGIC = {b"PK\x03\x04": "a ZIP archive", b"PK\x05\x06": "a ZIP archive", b"\x1f\x8b": "a gzip archive",
          b"BZh": "a bzip2 archive", b"\xfd7zXZ": "an xz archive", b"\x7fELF": "a native binary"}
_REFUSED = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_JOINERS = "\u200c\u200d"
_JOINED_SCRIPTS = frozenset({"ARABIC", "SYRIAC", "DEVANAGARI", "BENGALI", "GUJARATI", "GURMUKHI", "KANNADA", "MALAYALAM",
                             "ORIYA", "TAMIL", "TELUGU", "SINHALA"})
_ORDINARY = re.compile(r"[\n\t\x20-\x7e]*")
_QUOTES = "\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb"
_SPACES = "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_PARSE = Lock()


def normalise(raw: bytes) -> bytes:
    """A person's own file as it is judged and hashed: no byte order mark at its start, line ends as `\\n`.

    A lone carriage return stays, and is refused later: Python ends a comment there and other readers do not.
    """
    return raw.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")


def check_bytes(raw: bytes) -> list[Finding]:
    """Findings about the encoding; empty when the bytes are plain UTF-8 text of a bearable size."""
    if len(raw) > MAX_BYTES:
        return [_deny("program-too-large", 0,
                      f"The program has {len(raw):,} bytes; more than {MAX_BYTES:,} is not judged.",
                      "Write less code: read data from an input file instead of putting it into the program.")]
    for magic, what in _MAGIC.items():
        if raw.startswith(magic):
            return [_deny("not-a-text", 0, f"This is {what}, not Python source.",
                          "Give the source text of the program.")]
    if raw[2:4] == b"\r\n" and raw[:1] > b"\x7f":
        return [_deny("not-a-text", 0, "This is Python bytecode, not Python source.", "Give the source text.")]
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw[:error.start].count(b"\n") + 1
        return [_deny("not-utf-8", line, f"Byte 0x{raw[error.start]:02X} is not valid UTF-8.",
                      "Save the program as UTF-8; write other bytes as \\x escapes in a bytes literal.")]
    return [*_characters(text), *_cookies(text)]


def check_text(program: str) -> list[Finding]:
    """check_bytes for a program held as text. A lone surrogate cannot be written as UTF-8 and is refused."""
    try:
        return check_bytes(program.encode("utf-8"))
    except UnicodeEncodeError as error:
        line = program.count("\n", 0, error.start) + 1
        return [_deny("control-character", line, f"{_named(program[error.start])} cannot be written as UTF-8.",
                      f"Remove it, or write it as an escape (\\u{ord(program[error.start]):04x}) in a string.")]


def parse_program(program: str) -> Module | Finding:
    """The syntax tree, or the reason why there is none. Never compiles, never runs anything.

    In this process: with at most 100 KB the parser's own bounds (200 brackets, 100 indents, 6,000 levels, Python's
    recursion limit for the tree) end every input that was tried in 0.3 s, always as one of the exceptions below.
    Warnings about the text (an invalid escape) are not errors of it, whatever the host's filters say.
    """
    try:
        with _PARSE, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return parse(program, filename="main.py")
    except SyntaxError as error:
        return _syntax(program, error)
    except (ValueError, RecursionError, MemoryError) as error:
        return _deny("too-complex", 0,
                     f"The program cannot be parsed ({type(error).__name__}): it is nested too deeply.",
                     "Split long expressions and deep nesting into several statements.")


def check_identifiers(program: str) -> list[Finding]:
    """Names that Python reads differently from how they look: NFKC folds bold letters to plain ones.

    Only for text that parses.
    """
    if program.isascii():
        return []
    findings = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(program).readline):
            if token.type == tokenize.NAME and not token.string.isascii():
                finding = _identifier(token.string, *token.start)
                if finding:
                    findings.append(finding)
    except (tokenize.TokenError, IndentationError, SyntaxError) as error:
        findings.append(_deny("not-tokenized", 0, f"The names of the program cannot be listed: {error}.",
                              "Use plain ASCII names."))
    return findings


def _identifier(name: str, line: int, offset: int) -> Finding | None:
    plain = unicodedata.normalize("NFKC", name)
    if plain != name and plain.isascii():
        return _deny("look-alike-name", line, f"The name {name!r} is read by Python as {plain!r}.",
                     f"Write {plain} with plain letters.", offset + 1)
    scripts = {word.split(" ")[0] for word in (unicodedata.name(letter, "") for letter in name if letter.isalpha())}
    if "LATIN" in scripts and scripts & {"CYRILLIC", "CHEROKEE", "ARMENIAN"}:
        return _deny("look-alike-name", line, f"The name {name!r} mixes scripts whose letters look alike.",
                     "Use letters of one script in a name.", offset + 1)
    return None


def _characters(text: str) -> list[Finding]:
    if _ORDINARY.fullmatch(text):
        return []
    findings: list[Finding] = []
    for number, line in enumerate(text.split("\n"), 1):
        body = line.removesuffix("\r")
        for offset, letter in enumerate(body):
            if letter == "\t" or " " <= letter <= "~" or unicodedata.category(letter) not in _REFUSED:
                continue
            if letter in _JOINERS and _joins(body[offset - 1:offset], body[offset + 1:offset + 2]):
                continue
            if letter == "\r":
                message = "A carriage return without a line feed (U+000D): Python ends the line there, readers do not."
                fix = "End lines with \\n; inside a string write \\r."
            else:
                message = f"{_named(letter)} is an invisible control or format character."
                fix = f"Remove it; inside a string write the escape {_escape(letter)}."
            findings.append(_deny("control-character", number, message, fix, offset + 1))
            break
        if len(findings) >= 10:
            break
    return findings


def _joins(before: str, after: str) -> bool:
    """Whether a joiner stands where it is part of a sign: between the pictures of an emoji, or letters of a script that
    spells with it. Python takes it in texts and comments only."""
    if not before or not after:
        return False
    if (unicodedata.category(before) in ("So", "Sk") or before == "\ufe0f") and unicodedata.category(after) == "So":
        return True
    first, second = (unicodedata.name(letter, "").split(" ")[0] for letter in (before, after))
    return first == second and first in _JOINED_SCRIPTS


def _cookies(text: str) -> list[Finding]:
    for number, line in enumerate(text.split("\n")[:2], 1):
        found = _COOKIE.match(line)
        if found and not _UTF8.match(found.group(1)):
            return [_deny("coding-cookie", number, f"The comment declares the encoding {found.group(1)!r}.",
                          "Remove the coding comment; programs are UTF-8.")]
    return []


def _syntax(program: str, error: SyntaxError) -> Finding:
    line = error.lineno or 0
    written = program.split("\n")[line - 1] if 0 < line <= program.count("\n") + 1 else ""
    message = f"This is not valid Python: {error.msg}."
    odd = next((letter for letter in written if letter in _QUOTES + _SPACES), "")
    if written.lstrip().startswith(("!", "%")):
        fix = f"Remove the notebook command {written.strip()[:60]!r}: nothing can be installed or run from the program."
    elif "unicodeescape" in error.msg:
        fix = "A backslash starts an escape: use forward slashes, or a raw string r\"...\"."
    elif "Missing parentheses in call to 'print'" in error.msg:
        fix = "This is Python 2; write print(...)."
    elif odd:
        name = _named(odd)
        if name not in message:
            message = f"{message[:-1]}; the line contains {name}."
        fix = f"Replace {name} by {'an ordinary space' if odd in _SPACES else 'a straight quote'}."
    else:
        fix = "Correct the syntax on this line; reply with the whole program, code only."
    return Finding(rule="syntax-error", severity="ERROR", line=line, column=max(error.offset or 0, 0), message=message,
                   fix=fix, source=written[:200])


def _named(letter: str) -> str:
    return f"U+{ord(letter):04X} ({unicodedata.name(letter, 'control character').lower()})"


def _escape(letter: str) -> str:
    return f"\\u{ord(letter):04x}" if ord(letter) <= 0xFFFF else f"\\U{ord(letter):08x}"


def _deny(rule: str, line: int, message: str, fix: str, column: int = 0) -> Finding:
    return Finding(rule=rule, severity="ERROR", line=line, column=column, message=message, fix=fix)
