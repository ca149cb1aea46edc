"""Which code blocks of a reply make the program: what belongs together, and what is an example, an output or another way."""

import ast
import builtins
import re
from collections.abc import Callable

from .fences import Block
from .syntax import mend, parse, parses
from .transcript import is_session

NAME_LINE = re.compile(r"\A(python|py)[ \t]*\n([ \t]*Copy code[ \t]*\n)?", re.I)
"""What a chat's copy button puts above the code."""
_LABEL = re.compile(r"\b(outputs?|results?|prints?|stdout|sortie|résultats?|ausgabe|ergebnis|вивід|результат)\b[^.\n]*$",
                    re.I)


def chosen_blocks(text: str, found: list[Block], notes: list[str]) -> list[Block]:
    """The blocks that make the program: the Python ones, and untagged ones that the program cannot do without."""
    quoted = [block for block in found if block.quoted and block.kind in ("python", "untagged")]
    if quoted:
        notes.append(f"{len(quoted)} quoted code block(s) were left alone")
    own = [block for block in found if not block.quoted and block.code.strip()]
    labelled = _labels(text)
    python = without_alternatives(text, [block for block in own if block.kind == "python"], notes)
    untagged = [block for block in own if block.kind == "untagged" and not labelled(block, _LABEL)]
    if not python:
        untagged = [block._replace(code=NAME_LINE.sub("", block.code)) for block in untagged]
        programs = [block for block in untagged if _is_program(block.code)]
        # A session beside a program is an example; alone it is the program.
        programs = programs or [block for block in own if block.tag in _SESSIONS and is_session(block.code)]
        programs = programs or [block for block in own if block.tag in _PLAIN and not labelled(block, _LABEL)
                                and _stands_alone(block.code)]
        # A single block that was meant as Python and does not compile is worth a message about its fault.
        return programs or [b for b in untagged if _meant_as_python(b.code) and not parses(mend(b.code)[0])][:1]
    wanted = unbound("\n".join(mend(block.code)[0] for block in python)) if untagged else set()
    needed = [block for block in untagged if wanted & _bound(mend(block.code)[0])]
    left = len([b for b in own if b.kind == "untagged"]) - len(needed)
    if left:
        notes.append(f"{left} untagged block(s) beside the python block were left alone")
    if shell := [block for block in own if block.kind == "shell"]:
        notes.append(f"the {shell[0].tag} block was not run: there is no shell, and nothing can be installed")
    return sorted([*python, *needed], key=lambda block: block.start)


def without_alternatives(text: str, python: list[Block], notes: list[str]) -> list[Block]:
    """The blocks without those that the reply itself calls wrong or replaced, and without second ways to do it."""
    others = _alternatives(python, _labels(text))
    if others:
        notes.append(f"{len(others)} python block(s) that another one replaces were left alone")
    return [block for block in python if block not in others]


def _labels(text: str) -> Callable[[Block, re.Pattern[str]], bool]:
    """Tells whether the line before a block is such a label."""
    lines = text.split("\n")

    def labelled(block: Block, label: re.Pattern[str]) -> bool:
        before = next((line for line in reversed(lines[:block.start]) if line.strip()), "")
        return bool(label.search(before[-200:]))

    return labelled


_PLAIN = ("text", "txt", "plaintext", "plain", "code", "none")
"""Tags that say nothing of the language."""
_SESSIONS = ("pycon", "python-repl", "doctest")
_REPLACED = re.compile(
    r"\b(wrong|incorrect|original|buggy|faulty|broken|instead of|old version)\b[^.\n]*$|^\W*before\W*$", re.I)
_REPLACES = re.compile(r"\b(corrected|fixed|revised|improved|updated|better|complete|full|final|whole)\b[^.\n]*"
                       r"\b(version|program|code|script|solution)\b[^.\n]*$"
                       r"|(^|[.!?,:;])\W*(corrected|fixed|updated|after)\W*$", re.I)
_OTHER_WAY = re.compile(
    r"\b(alternative(ly)?|option [2-9b-f]|another (way|approach|option)|or else|or (shorter|simpler|faster|with|using)|"
    r"variant [2-9b-f])\b[^.\n]*$", re.I)


def _alternatives(python: list[Block], labelled: Callable[[Block, re.Pattern[str]], bool]) -> list[Block]:
    """Blocks that do not belong to the program: what the reply itself calls wrong or replaced, and second ways to do it.

    Only beside a block that needs nothing of them: it binds every name that it uses.
    """
    whole = [block for block in python if _is_program(block.code) and not unbound(mend(block.code)[0])]
    if len(python) < 2 or not whole:
        return []
    replacing = next((block for block in reversed(whole) if labelled(block, _REPLACES)), None)
    if replacing is not None:
        return [block for block in python if block.start < replacing.start]
    return [block for index, block in enumerate(python)
            if (labelled(block, _REPLACED) and any(other.start > block.start for other in whole))
            or (index and block in whole and labelled(block, _OTHER_WAY) and whole[0].start < block.start)]


def _meant_as_python(code: str) -> bool:
    return bool(re.search(r"^\s*(import \w|from [\w.]+ import |def \w+\(|print\b|class \w+.*:$|[!%]\w)", code, re.M))


def _is_program(code: str) -> bool:
    """Whether an untagged text is Python that does something, and not a number, a name or a line of output."""
    tree = parse(mend(code)[0])
    return tree is not None and any(isinstance(node, ast.Call | ast.Import | ast.ImportFrom) for node in ast.walk(tree))


def _stands_alone(code: str) -> bool:
    """Whether a text is a program of several statements that needs no name from elsewhere: no output and no example is."""
    tree = parse(mend(code)[0])
    return tree is not None and len(tree.body) > 1 and _is_program(code) and not unbound(mend(code)[0])


def _bound(code: str) -> set[str]:
    tree = parse(code)
    names: set[str] = set()
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.alias):
            names.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            names.add(node.name)
    return names


_GIVEN = {"final_answer", "tools"}
"""What the runner defines for every program."""


def unbound(code: str) -> set[str]:
    """Names that the program uses and nothing in it binds."""
    tree = parse(code)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} if tree else set()
    return used - _bound(code) - set(dir(builtins)) - _GIVEN
