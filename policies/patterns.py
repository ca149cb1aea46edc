"""Regular expressions that take forever: a repetition of nothing but a repetition, such as `(a+)+b`.

Each text has as many readings as there are ways to cut it, and all of them are tried before the match fails. The inner
repetition alone says the same, so nobody needs the outer one.
"""

import ast
import re
import warnings
from re import _parser as parser  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .tree import Walk

_FUNCTIONS = frozenset({"compile", "match", "search", "fullmatch", "findall", "finditer", "sub", "subn", "split"})
_OF_COLUMNS = frozenset({"contains", "match", "fullmatch", "extract", "extractall", "replace", "findall", "split", "rsplit",
                         "count"})
_TEMPLATE = frozenset({"idpattern", "braceidpattern", "pattern"})
_MANY = 16
"""Repetitions from which on a pattern counts as unbounded."""
_LONGEST = 2000


def check_pattern_call(walk: "Walk", node: ast.Call, paths: set[str]) -> None:
    """Judges the pattern that a call is given."""
    func = node.func
    of_column = isinstance(func, ast.Attribute) and func.attr in _OF_COLUMNS and getattr(func.value, "attr", "") == "str"
    of_re = any(path.startswith("re.") and path.removeprefix("re.") in _FUNCTIONS for path in paths)
    if not of_column and not of_re:
        return
    named = [item.value for item in node.keywords if item.arg in ("pattern", "pat", "to_replace")]
    _judge(walk, node, [*node.args[:1], *named], ends=any(path == "re.fullmatch" for path in paths))


def check_template(walk: "Walk", node: ast.ClassDef) -> None:
    """Judges the patterns of a class that derives from string.Template, which compiles them."""
    if not any("string.Template" in walk.names.resolve(base) for base in node.bases):
        return
    for statement in node.body:
        if isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            if any(isinstance(target, ast.Name) and target.id in _TEMPLATE for target in targets):
                _judge(walk, statement, [statement.value], ends=True)


def _judge(walk: "Walk", node: ast.AST, arguments: list[ast.expr], *, ends: bool) -> None:
    for argument in arguments:
        if any(explodes(text, ends=ends) for text in walk.names.strings_of(argument) or ()):
            walk.deny(node, "endless-pattern", "This pattern repeats a repetition: it takes forever on a text that does not "
                      "match.", "Leave the outer repetition out: a+ instead of (a+)+.")


def explodes(pattern: str, *, ends: bool = False) -> bool:
    """Whether a pattern repeats nothing but a repetition, before something that may fail. `ends`: the end is such."""
    if len(pattern) > _LONGEST or not re.search(r"[*+?}]\)*(?:[*+]|\{)|\|", pattern):
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _any(list(parser.parse(pattern)), fails=ends)
    except (re.error, RecursionError, OverflowError, ValueError):
        return False


def _any(items: list[Any], *, fails: bool) -> bool:
    """`fails`: whether what follows these items may fail."""
    for index, (kind, value) in enumerate(items):
        follows = fails or any(not _optional(other) for other in items[index + 1:])
        if kind in (parser.MAX_REPEAT, parser.MIN_REPEAT):
            if value[1] >= _MANY and follows and _repeats(list(value[2])):
                return True
            if _any(list(value[2]), fails=follows):
                return True
        elif any(_any(list(part), fails=follows) for part in _below(kind, value)):
            return True
    return False


def _repeats(items: list[Any]) -> bool:
    """Whether items are one repetition without a bound, in whatever groups, or a choice between two that are the same."""
    while len(items) == 1 and items[0][0] is parser.SUBPATTERN:
        items = list(items[0][1][3])
    if len(items) != 1:
        return bool(items) and all(map(_optional, items)) and any(_repeats([item]) for item in items)
    kind, value = items[0]
    if kind in (parser.MAX_REPEAT, parser.MIN_REPEAT):
        return bool(value[1] >= _MANY)
    if kind is parser.BRANCH:
        texts = [repr(list(part)) for part in value[1]]
        return len(set(texts)) < len(texts) or any(_repeats(list(part)) for part in value[1])
    return False


def _below(kind: Any, value: Any) -> list[Any]:
    if kind is parser.SUBPATTERN:
        return [value[3]]
    if kind is parser.BRANCH:
        return list(value[1])
    return [value[1]] if kind in (parser.ASSERT, parser.ASSERT_NOT) else []


def _optional(item: Any) -> bool:
    """Whether an item may match nothing, so that it never fails."""
    kind, value = item
    return kind in (parser.MAX_REPEAT, parser.MIN_REPEAT) and value[0] == 0
