"""Objects of the program's own that the interpreter lends its memory to.

CPython hands a view of its own buffer to `readinto` and to the `write` below a BufferedWriter, and does not notice when that
view outlives the buffer. It also reads the length of a bytearray before it asks `__index__` for the place. Both give a
program any byte of the process, without a name that is refused elsewhere.
"""

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .tree import Walk

BUFFERED = frozenset({"io.BufferedReader", "io.BufferedWriter", "io.BufferedRandom", "io.BufferedRWPair"})
_RAW = frozenset({"FileIO", "open", "BytesIO"})
"""What makes a file that keeps no view."""
_INTO = frozenset({"readinto", "readinto1"})
_PLAIN_CALLS = frozenset({"int", "len", "round", "abs", "ord", "hash", "bool", "sum", "min", "max"})
_DOES = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp,
         ast.GeneratorExp)
_WHY = "It is lent memory of the interpreter, and may keep it."


def check_lent(walk: "Walk", node: ast.ClassDef) -> None:
    """Judges the methods of a class that are called with memory, or in the middle of a change of it."""
    for statement in node.body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if statement.name in _INTO:
                walk.deny(statement, "raw-memory", f"{statement.name} is defined. {_WHY}",
                          "Define read, which returns bytes.")
            elif statement.name == "__index__" and not _only_answers(walk, statement):
                walk.deny(statement, "raw-memory", "__index__ does more than answer, in the middle of a change of memory.",
                          "Only return the number: return self.value.")
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
            named = {target.id for target in getattr(statement, "targets", ()) if isinstance(target, ast.Name)}
            if isinstance(statement.value, ast.Name) and "__index__" in named:
                _same_as(walk, node, statement.value)
            for part in ast.walk(statement):
                if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store) and part.id in _INTO:
                    walk.deny(part, "raw-memory", f"{part.id} is defined. {_WHY}", "Define read, which returns bytes.")


def _same_as(walk: "Walk", node: ast.ClassDef, name: ast.Name) -> None:
    """`__index__ = __int__`."""
    meant = [one for one in node.body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)) and one.name == name.id]
    if not meant or not all(_only_answers(walk, one) for one in meant):
        walk.deny(name, "raw-memory", "__index__ may do more than answer.", "Define it, and only return the number.")


def check_buffered(walk: "Walk", node: ast.Call) -> None:
    """Judges a call of one of the classes that buffer another file."""
    for argument in node.args[:2]:
        made = [argument] if isinstance(argument, ast.Call) else walk.names.bindings.get(getattr(argument, "id", ""), [])
        if not made or any(not isinstance(value, ast.Call) or _last(value.func) not in _RAW for value in made):
            walk.deny(node, "raw-memory", f"A file that is not surely one of Python's own is buffered. {_WHY}",
                      "Buffer io.FileIO(name), or open(name, \"rb\").")
            return


def _only_answers(walk: "Walk", function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    body = [statement for statement in function.body
            if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))]
    if len(body) != 1 or not isinstance(body[0], ast.Return) or function.decorator_list:
        return False
    for part in ast.walk(body[0]):
        if isinstance(part, _DOES) or (isinstance(part, ast.Call) and not (
                isinstance(part.func, ast.Name) and part.func.id in _PLAIN_CALLS
                and part.func.id not in walk.names.bindings)):
            return False
        if isinstance(part, ast.Attribute) and part.attr in walk.names.functions:
            return False
    return True


def _last(func: ast.expr) -> str:
    return func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
