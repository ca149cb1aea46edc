"""`return plt`, as charts end in functions that nobody asks for what they return, or only to save or show it."""

import ast
from collections.abc import Sequence

from .names import Names
from .visiting import children, every

_DRAWING = "matplotlib.pyplot"
_SCOPES = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_PLAIN_SCOPES = (ast.Module, ast.FunctionDef)
_ENDS = frozenset({"savefig", "show", "close"})


def returned_modules(trees: Sequence[ast.Module], names: Names) -> frozenset[int]:
    """Identities of the names of pyplot in return statements from which it gets to nobody."""
    drawing = {name for name in names.modules if names.paths.get(name) == {_DRAWING} and names.bindings.get(name) == [None]}
    nodes = (node for tree in trees for node in every(tree)) if drawing else ()
    if not any(isinstance(node, ast.Return) and _returns(node, drawing) for node in nodes):
        return frozenset()
    returns: dict[str, list[ast.Return]] = {}
    uses: dict[str, list[list[ast.AST]]] = {}
    for tree in trees:
        _collect(tree, [], drawing, returns, uses)
    found: set[int] = set()
    for function, statements in returns.items():
        whole = all(isinstance(statement.value, ast.Name) for statement in statements)
        if names.bindings.get(function) == [None] and all(_let_go(above, whole=whole) for above in uses.get(function, ())):
            found |= {id(part) for statement in statements for part in _parts(statement)
                      if isinstance(part, ast.Name) and part.id in drawing}
    return frozenset(found)


def _parts(statement: ast.Return) -> list[ast.expr]:
    value = statement.value
    return list(value.elts) if isinstance(value, ast.Tuple) else [value] if value else []


def _returns(statement: ast.Return, drawing: set[str]) -> bool:
    return any(isinstance(part, ast.Name) and part.id in drawing for part in _parts(statement))


def _collect(node: ast.AST, above: list[ast.AST], drawing: set[str], returns: dict[str, list[ast.Return]],
             uses: dict[str, list[list[ast.AST]]]) -> None:
    """Fills the returns of pyplot by the function around them, and by name what stands around each use."""
    if isinstance(node, ast.Name):
        uses.setdefault(node.id, []).append([node, *above[-1:-5:-1]])
    elif isinstance(node, ast.Return) and _returns(node, drawing):
        scopes = [one for one in above if isinstance(one, _SCOPES)]
        function, outer = scopes[-1], scopes[-2] if len(scopes) > 1 else None
        if isinstance(function, ast.FunctionDef) and not function.decorator_list and isinstance(outer, _PLAIN_SCOPES):
            returns.setdefault(function.name, []).append(node)
    for child in children(node):
        _collect(child, [*above, node], drawing, returns, uses)


def _let_go(above: list[ast.AST], *, whole: bool) -> bool:
    """Whether a use of the function is a call whose result is dropped, or saved or shown where it stands.

    `above`: the name, what stands around it, what around that, and so on.
    """
    name, call, statement, *more = [*above, None, None, None]
    if not isinstance(call, ast.Call) or call.func is not name:
        return False
    if isinstance(statement, ast.Expr):
        return True
    ends = isinstance(statement, ast.Attribute) and statement.attr in _ENDS and statement.value is call
    return whole and ends and isinstance(more[0], ast.Call) and more[0].func is statement
