"""Annotations are code twice: Python evaluates them, and libraries evaluate the text inside them.

typing.get_type_hints and functools.singledispatch evaluate text, and dataclasses write the names of fields into code that
they execute. So an annotation is written out, and nobody adds to `__annotations__`.
"""

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .tree import Walk

_READING = frozenset({"items", "keys", "values", "get"})
_READERS = frozenset({"len", "list", "sorted", "dict", "tuple", "set", "print", "str", "repr", "enumerate", "iter"})
_MAKERS = frozenset({"namedtuple", "NamedTuple", "TypedDict", "NewType", "TypeVar"})
"""Makers of types, where a star import brought them."""
_WRITTEN = "Write the type itself: x: float, rows: list[str]."


def check_annotation(walk: "Walk", annotation: ast.expr) -> None:
    """Judges an annotation, and each text inside it as the code that it may become."""
    for part in ast.walk(annotation):
        if isinstance(part, ast.Attribute) or (isinstance(part, ast.Name) and part.id not in walk.names.modules):
            walk.permit(part)
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            walk.expression(part, part.value)
        elif isinstance(part, ast.Name):
            _named(walk, part)
        elif _computed(walk, part):
            walk.deny(part, "computed-annotation", "An annotation that is computed can become code.", _WRITTEN)
    walk.visit(annotation)


def _named(walk: "Walk", name: ast.Name) -> None:
    """A name in an annotation that is bound to text."""
    for value in walk.names.bindings.get(name.id, ()):
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            walk.expression(name, value.value)
        elif value is not None and _computed(walk, value):
            walk.deny(name, "computed-annotation", "This annotation is computed, and computed text can become code.",
                      _WRITTEN)
            return


def _computed(walk: "Walk", part: ast.AST) -> bool:
    """Whether a part of an annotation may be text that is not written out."""
    if isinstance(part, ast.Call):
        name = part.func.id if isinstance(part.func, ast.Name) else ""
        made = name in walk.names.classes or (walk.star and name in _MAKERS and name not in walk.names.bindings)
        return not made and not walk.names.rooted(part.func)
    if isinstance(part, ast.BinOp):
        return not isinstance(part.op, ast.BitOr)
    return isinstance(part, (ast.JoinedStr, ast.IfExp, ast.NamedExpr, ast.Lambda, ast.ListComp))


def reads_annotations(walk: "Walk", node: ast.Attribute) -> None:
    """`__annotations__` may be looked at and not be changed or handed on."""
    if isinstance(node.value, ast.Attribute) and node.value.attr == "__annotations__" and node.attr in _READING:
        walk.look(node.value)
    if node.attr == "__annotations__" and not walk.is_looked_at(node):
        walk.deny(node, "computed-annotation", "Whoever holds __annotations__ can add code to them.",
                  "Look at them only: for name, kind in Row.__annotations__.items().")


def looks(walk: "Walk", node: ast.Call) -> None:
    """Builtins that look at `__annotations__` and keep nothing of them."""
    if isinstance(node.func, ast.Name) and node.func.id in _READERS and node.func.id not in walk.names.bindings:
        for argument in node.args:
            walk.look(argument)
