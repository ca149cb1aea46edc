"""The code blocks of a reply, by CommonMark, with the closing fences that chat models really write."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from .lexical import spans, string_lines
from .syntax import mend, parses

Kind = Literal["python", "shell", "untagged", "other"]

# Blocks only. Raw HTML is off, or `<code>` on a line of its own would swallow the fence below it; so is the rule that
# puts U+FFFD in the place of a NUL, since a program must not be changed unseen.
_MARKDOWN = MarkdownIt("commonmark").disable(["normalize", "html_block", "inline", "reference"])
_CLOSINGS_TRIED = 4
MAX_BLOCKS = 60
_MOST_PARSED = 1_200_000
_LINE_COSTS = 40
"""Characters whose parsing takes as long as beginning a line."""
_DEEPEST = 3
"""Indented blocks within indented blocks."""
MOST_QUOTED = 500
"""Quoted lines: markdown-it's time grows with their square."""
_QUOTED = re.compile(r"^ {0,3}>", re.M)

_SHELL = {"bash", "sh", "shell", "zsh", "fish", "console", "shell-session", "shellsession", "terminal", "cmd", "bat",
          "powershell", "ps1", "dos", "dockerfile", "makefile"}
_PYTHON = re.compile(r"(py|python|ipython)(\d(\.\d+)*)?|tool_code|python[-_](code|script)|(run|execute)_python|execute|"
                     r"code_interpreter|jupyter|notebook|(text|application)/(x-)?python|sage")
_TAG_CLOSING = re.compile(r"\s*</?(code|python|py|execute|tool_code|run_python|end_code|end_of_code)\s*>?\s*")
_OTHER_CLOSING = re.compile(r"[ \t]*(?:`{3,}|~{3,})[ \t]*")
"""A fence of another length or sign: wrong by CommonMark, and the end where the text before it is Python."""
_PARTIAL_CLOSING = re.compile(r"\n[ \t]*</?(c(o(d(e)?)?)?)?[ \t]*\Z")
_SPECIAL_TOKENS = re.compile(r"(<\|[\w ]{1,30}\|>|</s>|<end_of_turn>)\s*\Z")


class TooManyBlocks(ValueError):
    """More code blocks than MAX_BLOCKS, or more work than any reply in good faith makes."""


class Block(NamedTuple):
    """One code block. Lines are 0-based numbers in the text that was given; `end` is past its last line."""

    kind: Kind
    tag: str
    code: str
    start: int
    end: int
    closed: bool
    quoted: bool = False


def kind_of(info: str) -> tuple[Kind, str]:
    """What the info string of a fence says: the kind, and the tag as a person would name it."""
    words = re.findall(r"[A-Za-z0-9_+#./\-]+", info.strip().lower())
    words = [word.strip(".") for word in words if word.strip("./-")]
    if words and words[0] in {"code-cell", "code", "lang", "language", "class"} and len(words) > 1:
        words = words[1:]
    if not words:
        return "untagged", ""
    tag = words[0].removeprefix("language-").removeprefix("lang-")
    if _PYTHON.fullmatch(tag) or tag.endswith(".py"):
        return "python", tag
    return ("shell" if tag in _SHELL else "other"), tag


def _is_opening(line: str) -> re.Match[str] | None:
    return re.match(r"[ \t]*(`{3,}|~{3,})[ \t]*([^`\n]*)$", line)


def _unquoted(lines: list[str], depth: int, indent: int) -> list[str]:
    """Lines without the markers of the quotation they stand in, and without up to `indent` columns of space."""
    plain = []
    for line in lines:
        for _ in range(depth):
            line = re.sub(r"^ {0,3}> ?", "", line)
        taken = 0
        while taken < indent and line[:1] in (" ", "\t"):
            taken += 4 - taken % 4 if line[0] == "\t" else 1
            line = line[1:]
        plain.append(line)
    return plain


def _closings(body: list[str], marker: str) -> Iterator[tuple[str, int, bool]]:
    """Every way the block may end: code, number of body lines used, closed. Lines inside a string do not count."""
    inside = string_lines("\n".join(body))
    fence = re.compile(rf"\s*{re.escape(marker[0])}{{{len(marker)},}}\s*(</?[\w|]+>?\s*)*")
    for number, line in enumerate(body):
        if number in inside:
            continue
        last: str | None = None
        used = number + 1
        if fence.fullmatch(line) or _TAG_CLOSING.fullmatch(line) or _OTHER_CLOSING.fullmatch(line):
            last = ""
        elif (opening := _is_opening(line)) and opening[2] and opening[1][0] == marker[0]:
            last, used = "", number
        elif line.rstrip().endswith(marker):
            last = line.rstrip().rstrip(marker[0]) + "\n"
        elif (tag := re.search(r"</code>?\s*$", line)) and tag.start():
            last = line[:tag.start()] + "\n"
        if last is not None:
            yield "".join(f"{before}\n" for before in body[:number]) + last, used, True


def without_rest_of_tags(code: str) -> str:
    """The code without a special token or the piece of a closing tag that a stop sequence left behind."""
    while match := _SPECIAL_TOKENS.search(code, max(0, len(code.rstrip()) - 60)):
        code = code[:match.start()] + "\n"
    if parses(code):
        return code
    cut = _PARTIAL_CLOSING.sub("\n", code.rstrip())
    return cut if parses(cut) else code


def _settle(lines: list[str], token: Token, depth: int, tail_closed: bool) -> tuple[str, int, bool]:
    """Code, end line and closedness of one fence.

    CommonMark closes at the first fence, also at one inside a string of the program: so each later closing is tried
    until the text is Python. A fence inside a string leaves the string open, and a real one never stands inside the
    program, so at most one of them can be right.
    """
    start, end = token.map or [0, 0]
    # In a list, a line that is not indented ends the block before it began.
    broken_off = token.level > 0 and not tail_closed and not token.content.strip()
    if parses(token.content) and not broken_off:
        return token.content, end, tail_closed
    opener = lines[start]
    indent = len(opener.expandtabs(4)) - len(opener.expandtabs(4).lstrip())
    # Only a string that is still open can hold a fence, and so make the block longer than CommonMark says.
    longer = broken_off or any(not span.closed for span in spans(token.content))
    body = _unquoted(lines[start + 1:] if longer else lines[start + 1:end], depth, indent)
    first: tuple[str, int, bool] | None = None
    for tried, (code, used, closed) in enumerate(_closings(body, token.markup)):
        candidate = (code, start + 1 + used, closed)
        if tried >= _CLOSINGS_TRIED:
            break
        if parses(mend(code)[0]) and code.strip():
            return candidate
        first = first or candidate
    if tail_closed:
        return first or (token.content, end, True)
    code = without_rest_of_tags(token.content)
    if parses(mend(code)[0]):
        return code, end, False
    return first or (code, end, False)


def blocks(text: str) -> list[Block]:
    """The code blocks in order: fenced ones, and indented ones as untagged. Lines end with `\\n`.

    Raises TooManyBlocks.
    """
    return _blocks(text, _DEEPEST)


def _blocks(text: str, deep: int) -> list[Block]:
    if sum(1 for _ in zip(_QUOTED.finditer(text), range(MOST_QUOTED + 1), strict=False)) > MOST_QUOTED:
        raise TooManyBlocks("too many quoted lines")
    lines = text.split("\n")
    found: list[Block] = []
    offset = parsed = 0
    while offset < len(lines):
        parsed += sum(map(len, lines[offset:])) + _LINE_COSTS * (len(lines) - offset)
        if parsed > _MOST_PARSED and offset:
            raise TooManyBlocks("too many code blocks")
        restart = _walk(lines, offset, found, deep)
        if restart is None:
            break
        offset = restart
    return found


def _walk(lines: list[str], offset: int, found: list[Block], deep: int) -> int | None:
    """Add the blocks from `offset` on; a line to go on from when a block ended elsewhere than CommonMark says."""
    here = lines[offset:]
    depth = 0
    for token in _MARKDOWN.parse("\n".join(here)):
        if len(found) > MAX_BLOCKS:
            raise TooManyBlocks("too many code blocks")
        if token.type == "blockquote_open":
            depth += 1
        elif token.type == "blockquote_close":
            depth -= 1
        elif token.type == "code_block" and token.map:
            start, end = token.map
            inner = _blocks(token.content, deep - 1) if deep and _is_opening(token.content.split("\n")[0]) else []
            found += [block._replace(start=offset + start + block.start, end=offset + start + block.end,
                                     quoted=depth > 0) for block in inner]
            if not inner:
                found.append(Block("untagged", "", token.content, offset + start, offset + end, True, depth > 0))
        elif token.type == "fence" and token.map:
            start, end = token.map
            kind, tag = kind_of(token.info)
            last = _unquoted([here[end - 1]], depth, 1000)[0].strip() if end - 1 > start else ""
            closed = len(last) >= len(token.markup) and set(last) == {token.markup[0]}
            if kind in ("python", "untagged"):
                code, settled, closed = _settle(here, token, depth, closed)
            else:
                code, settled = token.content, end
            found.append(Block(kind, tag, code, offset + start, offset + settled, closed, depth > 0))
            if settled != end:
                return offset + max(settled, start + 1)
    return None


_SECTION = re.compile(
    r"""^[ \t]*(?:<(?:\w{1,20}:)?(?:pre|invoke|function|function_calls?|tool_call|tool_use|tool|execute_python|response)"""
    r"""(?:[ =][^>\n]{0,80})?>[ \t]*\n?[ \t]*){0,3}(?:<(?P<tag>code|python|py|execute|execute_python|execute_ipython"""
    r"""|tool_code|ipython|run_python|code_interpreter|antArtifact)(?:[ \t][^>\n]*)?>"""
    r"""|(?P<token><\|python_tag\|>)(?!\s*\{)|(?P<ticks>`{1,2})(?:python3?|py)[ \t]*$"""
    r"""|<(?P<parameter>parameter)(?:=|[ ]name=")(?:code|program|python)"?>|(?P<square>\[PYTHON\])"""
    r"""|<arg_key>(?:code|program|python)</arg_key>\s*<(?P<value>arg_value)>"""
    r"""|'{3}(?P<quotes>python3?|py)[ \t]*$)""", re.M)
_BREAK = re.compile(r"<br[ \t]*/?>\n?")
_ONE_LINE = re.compile(r"^[ \t]*(`{3,})[ \t]*(?:python3?|py)[ \t]+(.+?)[ \t]*\1[ \t]*$", re.M)


def _without_cdata(code: str) -> str:
    found = re.fullmatch(r"\s*<!\[CDATA\[(.*)\]\]>\s*", code, re.S)
    return found[1] if found else code


def _closing_of(opening: re.Match[str]) -> re.Pattern[str]:
    if opening["square"]:
        return re.compile(r"\[/PYTHON\]")
    if opening["token"]:
        return re.compile(r"<\|e[ot][mt]_id\|>|\Z")
    if opening["ticks"]:
        return re.compile(r"^`{1,2}[ \t]*$", re.M)
    if opening["quotes"]:
        return re.compile(r"^'''[ \t]*$", re.M)
    return re.compile(rf"</{opening['tag'] or opening['parameter'] or opening['value']}>")


def sections(text: str) -> list[Block]:
    """Programs between `<code>` and other tags that models know, for replies without fences.

    A tag inside a string of the program is data.
    """
    found: list[Block] = []
    position = 0
    while match := _SECTION.search(text, position):
        body = text[match.end():]
        start = text.count("\n", 0, match.start())
        closings = [closing for closing, _ in zip(_closing_of(match).finditer(body), range(_CLOSINGS_TRIED), strict=False)]
        code, end, closed = without_rest_of_tags(body), len(body), False
        for closing in closings:
            if parses(mend(body[:closing.start()])[0]):
                code, end, closed = body[:closing.start()], closing.end(), True
                break
        else:
            if closings:
                code, end, closed = body[:closings[0].start()], closings[0].end(), True
        position = match.end() + end
        last = text.count("\n", 0, position) + 1
        code = _BREAK.sub("\n", _without_cdata(code)) if match["tag"] else code
        found.append(Block("python", match["tag"] or "", code.strip("\n") + "\n", start, last, closed))
        if len(found) > MAX_BLOCKS:
            raise TooManyBlocks("too many code blocks")
    line = position = 0
    for match in _ONE_LINE.finditer(text) if not found else ():
        line, position = line + text.count("\n", position, match.start()), match.start()
        found.append(Block("python", "", match[2] + "\n", line, line + 1, True))
        if len(found) > MAX_BLOCKS:
            raise TooManyBlocks("too many code blocks")
    return found
