"""Programs in replies that mark no code: a program alone, one between sentences, one in a form that other agents use."""

import ast
import re
from collections.abc import Iterator

from .choosing import NAME_LINE, unbound, without_alternatives
from .fences import Block
from .syntax import open_at_end, parse, problem
from .toolcall import NotAProgram, program_of
from .transcript import is_session, without_prompts

_DELIVERS = ("print", "final_answer")
_MOST_LINES = 600
_TRIES = 40
"""Parses of one reply: each costs as much as its text is long."""
_BEGINS = re.compile(r"import \w|from [\w.]+ import\b|(?:print|final_answer)\(|def \w+\(|class \w+[(:]|with .*:\s*$"
                     r"|for \w.* in .*:\s*$|(?:if|while) .*:\s*$|try:\s*$|@\w|[A-Za-z_]\w*(?:\[[^\]]*\])? ?[-+*/]?= ?\S")
_ACTION = re.compile(r"^Action Input:[ \t]*\n?(?P<code>(?s:.*?))(?=^(?:Observation|Thought|Final Answer|Action):|\Z)", re.M)
_ENVIRONMENT = re.compile(r"\\begin\{(lstlisting|verbatim|minted|pythoncode|python)\}"
                          r"(?:\[[^\]\n]*\])?(?:\{[^}\n]*\})?[ \t]*\n")
_ANSWER = re.compile(r"<(answer|solution|program|script|response)>")
_MARKUP = re.compile(r"^[ \t]*\{(code|noformat)(?::[^}\n]*)?\}[ \t]*\n?", re.M)
_BRACKETS = re.compile(r"^[ \t]*\[((?i:code))(?:=[^\]\n]*)?\][ \t]*\n?", re.M)
_CODE_LINE = re.compile(r"\s|[)\]}]|.{0,80}?(?:\w ?(?:[-+*/]|:|<)?= ?\S|<-)")
_CODE_ENDS = ("(", "{", "[", ",", ";", "\\")
_NO_PROGRAM = re.compile(
    r"\b(sorry|can(?:'t|\u2019t|not)|unable|could(?:n't|n\u2019t| not)|(?:do|did)(?:n't|n\u2019t| not) have|"
    r"(?:please|could you|can you) (?:provide|confirm|send|share|upload|clarify|tell)|(?:an|for) example|for instance|"
    r"(?:would|might) (?:be|look)|do(?:n't| not) run|your (?:\w+ )?(?:program|code|script) (?:is|was|has|had|did|failed)|"
    r"(?:previous|earlier|old|original) (?:program|code|script|version)|"
    r"désolé|par exemple|impossible|leider|zum beispiel|kann nicht|на жаль|наприклад|не можу)\b",
    re.I)
_SHOWN = re.compile(r"\s*(?:<(?:tool_\w+|observation|example|context|document|input|output|error|user)\b|"
                    r"(?:Observation|User|Human|Output|Error|Input):)", re.I)
"""A line after which stands what somebody else wrote."""
_ASKS = re.compile(r"\?[ \t]*$", re.M)
"""Words of a reply that shows code and does not mean it to be run."""


def unmarked_program(text: str, *, pieces_only: bool = False) -> list[Block]:
    """The program of a reply without fences and tags, in the parts that make it; empty where it holds none.

    What delivers nothing and imports nothing is no program: a number or a name is valid Python too. A part is `closed`
    where the reply says where it ends. `pieces_only`: nothing is looked for between sentences.
    """
    whole = _block(text, NAME_LINE.sub("", text.strip()).strip("\n") + "\n", 0, len(text), closed=False)
    if whole is not None:
        return [whole]
    actions = [(match.span(), match["code"]) for match in _ACTION.finditer(text)]
    for form in (actions, _between(text, _ENVIRONMENT, r"\end{%s}"), _between(text, _ANSWER, "</%s>"),
                 _between(text, _MARKUP, "{%s}"), _between(text, _BRACKETS, "[/%s]")):
        found = [_block(text, _of_call(code), start, end, closed=form is not actions or end < len(text))
                 for (start, end), code in form]
        if programs := [block for block in found if block is not None]:
            return programs if _computes("".join(block.code for block in programs)) else []
    return [] if pieces_only else _between_sentences(text)


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


def _block(text: str, code: str, start: int, end: int, *, closed: bool) -> Block | None:
    """Of a piece of the text that is a program by itself."""
    code = _plain(code)
    tree = parse(code)
    if tree is None or not _does_something(tree) or _holds_words(tree, code):
        return None
    return Block("python", "unfenced", code, text.count("\n", 0, start), text.count("\n", 0, end) + 1, closed)


def _holds_words(tree: ast.Module, code: str) -> bool:
    """Whether a statement is only an expression of names that nothing binds: a word, a comparison in another language."""
    alone = [node.value for node in tree.body if isinstance(node, ast.Expr)]
    words = [value for value in alone if not isinstance(value, ast.Call | ast.Constant)]
    names = {name.id for value in words for name in ast.walk(value) if isinstance(name, ast.Name)}
    return bool(names and names & unbound(code))


def _does_something(tree: ast.Module) -> bool:
    delivers = any(isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
                   and isinstance(node.value.func, ast.Name) and node.value.func.id in _DELIVERS
                   for node in ast.walk(tree))
    return delivers or any(isinstance(node, ast.Import | ast.ImportFrom) for node in tree.body)


def _computes(code: str) -> bool:
    """Whether a program does more than to write down what stands in it, as an answer in words does."""
    tree = parse(code)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.BinOp | ast.For | ast.While | ast.comprehension | ast.FunctionDef | ast.With):
            return True
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") not in _DELIVERS:
            return True
    return False


def _between_sentences(text: str) -> list[Block]:
    """Runs of lines that are Python, where together they are more than one line, do something and bind what they use.

    Nothing where a run ends at a line that is no sentence, or the words around say that the code is not to be run.
    """
    lines = text.split("\n")
    if len(lines) > _MOST_LINES:
        return []
    first = next((line for line in lines if _BEGINS.match(line.lstrip(" ")) and len(line) - len(line.lstrip(" ")) < 4), "")
    margin = first[:len(first) - len(first.lstrip(" "))]
    lines = [line.removeprefix(margin) if line.startswith(margin) else line.lstrip(" ") for line in lines]
    runs = without_alternatives(text, _runs(lines), [])
    code = "".join(run.code for run in runs)
    tree = parse(code)
    if tree is None or len(tree.body) < 2 or not _does_something(tree) or unbound(code) or not _computes(code):
        return []
    if any(_SHOWN.match(next((line for line in reversed(lines[:run.start]) if line.strip()), "")) for run in runs):
        return []
    inside = {number for run in runs for number in range(run.start, run.end)}
    words = "\n".join(line for number, line in enumerate(lines) if number not in inside)
    # A question after the program is a courtesy.
    return [] if _NO_PROGRAM.search(words) or _ASKS.search("\n".join(lines[:runs[0].start])) else runs


def _runs(lines: list[str]) -> list[Block]:
    """Empty where one of them breaks off."""
    found: list[Block] = []
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
                if _breaks_off(lines, end):
                    return []
                found += _run(lines, at, end)
                break
            # What is from the faulty line on is a sentence, and so is not part of it.
            end = at + min((fault.line or 1) - 1, end - at - 1)
        else:
            first = problem(lines[at] + "\n")
            if first is not None and open_at_end(lines[at], first) and not first.message.startswith("invalid syntax"):
                return []
        at = max(end, at + 1)
    return found if tries < _TRIES else []


def _breaks_off(lines: list[str], end: int) -> bool:
    """Whether the line right after a program is no sentence: the program was cut, or it is of another language."""
    after = next((line for line in lines[end:] if line.strip()), "")
    return bool(_CODE_LINE.match(after) or _BEGINS.match(after[:500]) or after.rstrip().endswith(_CODE_ENDS))


def _run(lines: list[str], at: int, end: int) -> Iterator[Block]:
    code = "\n".join(lines[at:end]).strip("\n") + "\n"
    tree = parse(code)
    body = list(tree.body) if tree is not None else []
    while body and isinstance(body[-1], ast.Expr) and isinstance(body[-1].value, ast.Name | ast.Constant):
        last = body.pop()  # a sentence of one word
        code = "".join(f"{line}\n" for line in lines[at:at + last.lineno - 1])
    if body:
        yield Block("python", "unfenced", code, at, at + code.count("\n"), False)
