"""The same program said plainly: `[f][0](x)`, `(f or g)(x)` and `(lambda: f)()(x)` as `f(x)`.

What is picked out of something written out, and used at once, is judged as if it stood there by itself: once for each thing
that may be picked. Programs without such a form, which is nearly all, have no variants.
"""

import ast
import copy
from collections.abc import Iterator, Sequence

from .folding import folded
from .visiting import children, every

_MOST = 8
_PICKS = frozenset({"get", "pop", "setdefault", "popitem", "__getitem__"})
_CONTAINERS = (ast.List, ast.Tuple, ast.Set, ast.Dict)
_GIVEN = (ast.Call, ast.keyword, ast.Assign, ast.Starred, ast.ClassDef, ast.withitem, ast.Return)
"""Where a name that is bound in passing hides what is handed on; in a test it is ordinary."""
_CHOICES = (ast.IfExp, ast.BoolOp, ast.NamedExpr)


def variants(tree: ast.Module) -> Iterator[ast.Module]:
    """The program with its texts written out; with each choice replaced by its first option, then by its second, and so
    on."""
    plain = folded(tree)
    if plain is not None:
        yield plain
    most = 0
    for node in every(tree):
        if isinstance(node, (ast.Call, ast.Attribute)):
            used = node.func if isinstance(node, ast.Call) else node.value
            if isinstance(used, _CHOICES) or _picked(used):
                most = max(most, len(_options(used)))
        if isinstance(node, _GIVEN) and any(isinstance(item, ast.NamedExpr) for item in children(node)):
            most = max(most, 1)
        if isinstance(node, ast.expr) and _odd(node):
            most = max(most, len(_options(node)))
    for number in range(min(most, _MOST)):
        yield _Plain(number).visit(copy.deepcopy(tree))


def _odd(node: ast.expr) -> bool:
    """A choice that is none: nobody writes it but to hide what is chosen."""
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Constant) and _picked(node)
    if isinstance(node, ast.IfExp):
        return isinstance(node.test, ast.Constant)
    if isinstance(node, ast.BoolOp):
        return isinstance(node.values[0], ast.Constant)
    return _picked(node)


def _picked(node: ast.expr) -> bool:
    """Whether an expression takes something out of what is written out beside it."""
    if isinstance(node, ast.Subscript):
        return isinstance(node.value, _CONTAINERS) and isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.Call):
        func = node.func
        return isinstance(func, ast.Lambda) or (isinstance(func, ast.Attribute) and func.attr in _PICKS
                                                and isinstance(func.value, _CONTAINERS))
    return False


def _options(node: ast.expr) -> Sequence[ast.expr]:
    """What a choice may come to."""
    if isinstance(node, ast.IfExp):
        return [node.body, node.orelse]
    if isinstance(node, ast.BoolOp):
        return node.values
    if isinstance(node, ast.NamedExpr):
        return [node.value]
    if isinstance(node, ast.Subscript):
        return _items(node.value)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Lambda):
        return [node.func.body]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return [*_items(node.func.value), *node.args[1:]]
    return [node]


def _items(node: ast.expr) -> list[ast.expr]:
    return list(node.values) if isinstance(node, ast.Dict) else list(getattr(node, "elts", []))


class _Plain(ast.NodeTransformer):
    """Puts one option in the place of each choice."""

    def __init__(self, number: int) -> None:
        self.number = number

    def _choose(self, node: ast.expr) -> ast.AST:
        self.generic_visit(node)
        options = _options(node) if isinstance(node, _CHOICES) or _picked(node) else [node]
        chosen = options[min(self.number, len(options) - 1)] if options else node
        return chosen.value if isinstance(chosen, ast.Starred) else chosen

    visit_IfExp = visit_BoolOp = visit_NamedExpr = visit_Subscript = visit_Call = _choose
