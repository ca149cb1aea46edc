"""Programs in replies that mark no code: a program alone, one between sentences, one in a form that other agents use."""

import ast
import re
from collections.abc import Iterator

from .choosing import NAME_LINE
from .fences import Block
from .syntax import parse, problem
from .toolcall import NotAProgram, program_of
from .transcript import is_session, without_prompts

_MOST_LINES = 600
_TRIES = 40
"""Parses of one reply: each costs as much as its text is long."""
_BEGINS = re.compile(r"import \w|from [\w.]+ import\b|(?:print|final_answer)\(|def \w+\(|class \w+[(:]|with .*:\s*$"
                     r"|for \w.* in .*:\s*$|(?:if|while) .*:\s*$|try:\s*$|@\w|[A-Za-z_]\w*(?:\[[^\]]*\])? ?[-+*/]?= ?\S")
_ACTION = re.compile(r"^Action Input:[ \t]*\n?(?P<code>(?s:.*?))(?=^(?:Observation|Thought|Final Answer|Action):|\Z)", re.M)
_ENVIRONMENT = re.compile(r"\\begin\{(lstlisting|verbatim|minted|pythoncode|python)\}"
                          r"(?:\[[^\]\n]*\])?(?:\{[^}\n]*\})?[ \t]*\n")
_ANSWER = re.compile(r"<(answer|solution|program|script|response)>")


def unmarked_program(text: str) -> list[Block]:
    """The program of a reply without fences and tags, in the parts that make it; empty where it holds none.

    What delivers nothing and imports nothing is no program: a number or a name is valid Python too.
    """
    whole = _block(text, NAME_LINE.sub("", text.strip()).strip("\n") + "\n", 0, len(text))
    if whole is not None:
        return [whole]
    pieces = ([(match.span(), match["code"]) for match in _ACTION.finditer(text)],
              list(_between(text, _ENVIRONMENT, r"\end{%s}")), list(_between(text, _ANSWER, "</%s>")))
    for form in pieces:
        found = [_block(text, _of_call(code), start, end) for (start, end), code in form]
        if programs := [block for block in found if block is not None]:
            return programs
    return _between_sentences(text)


def _between(text: str, opening: re.Pattern[str], closing: str) -> Iterator[tuple[tuple[int, int], str]]:
    """Place and content of each pair; one that is not closed ends the search."""
    at = 0
    while begun := opening.search(text, at):
        ended = closing % begun[1]
        end = text.find(ended, begun.end())
        if end < 0:
            return
        at = end + len(ended)
        yield (begun.start(), at), text[begun.end():end]


def _of_call(code: str) -> str:
    """The program of a call's JSON arguments; what is no such call as it is."""
    if not code.lstrip().startswith("{"):
        return code
    try:
        return program_of(code)
    except NotAProgram:
        return code


def _plain(code: str) -> str:
    code = code.strip("\n").rstrip() + "\n"
    return without_prompts(code) if is_session(code) else code


def _block(text: str, code: str, start: int, end: int) -> Block | None:
    """Of a piece of the text that is a program by itself."""
    code = _plain(code)
    tree = parse(code)
    if tree is None or not _does_something(tree):
        return None
    return Block("python", "unfenced", code, text.count("\n", 0, start), text.count("\n", 0, end) + 1, True)


def _does_something(tree: ast.Module) -> bool:
    delivers = any(isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
                   and isinstance(node.value.func, ast.Name) and node.value.func.id in ("print", "final_answer")
                   for node in ast.walk(tree))
    return delivers or any(isinstance(node, ast.Import | ast.ImportFrom) for node in tree.body)


def _between_sentences(text: str) -> list[Block]:
    """Runs of lines at the margin that are Python, where together they are more than one line and do something."""
    lines = text.split("\n")
    if len(lines) > _MOST_LINES:
        return []
    runs = list(_runs(lines))
    tree = parse("".join(run.code for run in runs))
    if tree is None or len(tree.body) < 2 or not _does_something(tree):
        return []
    return runs


def _runs(lines: list[str]) -> Iterator[Block]:
    at = tries = 0
    while at < len(lines) and tries < _TRIES:
        if not _BEGINS.match(lines[at]):
            at += 1
            continue
        end = len(lines)
        while end > at and tries < _TRIES:
            tries += 1
            fault = problem("\n".join(lines[at:end]) + "\n")
            if fault is None:
                yield from _run(lines, at, end)
                break
            # What is from the faulty line on is a sentence, and so is not part of it.
            end = at + min((fault.line or 1) - 1, end - at - 1)
        at = max(end, at + 1)


def _run(lines: list[str], at: int, end: int) -> Iterator[Block]:
    code = "\n".join(lines[at:end]).strip("\n") + "\n"
    tree = parse(code)
    body = list(tree.body) if tree is not None else []
    while body and isinstance(body[-1], ast.Expr) and isinstance(body[-1].value, ast.Name | ast.Constant):
        last = body.pop()  # a sentence of one word
        code = "".join(f"{line}\n" for line in lines[at:at + last.lineno - 1])
    if body:
        yield Block("python", "unfenced", code, at, at + code.count("\n"), True)
