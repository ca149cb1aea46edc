"""Attributes: which names may be read of which objects."""

import ast
from typing import TYPE_CHECKING

from .classes import check_dict, owns_private
from .imports import BY_NAME, PUBLIC, attribute_fix, check_path, part_of
from .sinks import SINKS

if TYPE_CHECKING:
    from .tree import Walk

_WORDS = frozenset({
    "select", "signal", "types", "platform", "code", "measure", "testing", "home", "modules", "copyreg", "traceback",
    "gc", "inspect", "socket", "eval", "os", "mro", "get_value", "get_field",
})
"""Denied attributes that ordinary data has too (`row.platform`, `self.code`). On a name of the program's own they pass."""


def check_attribute(walk: "Walk", node: ast.AST, name: str, base: ast.expr | None) -> None:
    """Judges the reading of attribute `name`; `base` is null where the object is not visible."""
    paths = {f"{path}.{name}" for path in walk.names.resolve(base, walk.local)} if base is not None else set()
    rooted = base is not None and walk.names.rooted(base, walk.local)
    if isinstance(base, ast.Name) and base.id == "type" and not walk.names.bindings.get("type") and name != "__name__":
        walk.deny(node, "computed-class", f"type.{name} makes or takes apart classes.", "Write a class statement.")
    if name == "__dict__":
        check_dict(walk, node, base)
    elif name.startswith("__") and name.endswith("__") and len(name) > 4:
        if name not in walk.dunders and not (isinstance(node, ast.expr) and walk.is_looked_at(node)):
            walk.deny(node, "denied-dunder", f"The attribute {name} leads into the interpreter.",
                      "Use public methods and plain data instead.")
    elif name.startswith("_") and name not in walk.private:
        if name in walk.attributes or name.strip("_") in walk.attributes or rooted or not owns_private(walk, name, base):
            walk.deny(node, "private-attribute",
                      f"The attribute {name} is private, and this object is not surely one of the program's own that "
                      "defines it.",
                      "Use the documented methods of the object.")
    elif name in walk.attributes and not _harmless(walk, name, base, paths, rooted):
        walk.deny(node, "denied-attribute", f"The attribute {name} is refused: it leads out of what the policy allows.",
                  attribute_fix(name))
    elif walk.in_text and (name in SINKS or name.startswith(("to_", "read_"))):
        walk.deny(node, "denied-attribute", f"{name} in a text that is evaluated opens files.", "Call it in the program.")
    for path in paths:
        check_path(walk, node, path)


def _harmless(walk: "Walk", name: str, base: ast.expr | None, paths: set[str], rooted: bool) -> bool:
    if paths & PUBLIC or (name == "obj" and _table(walk, base)):
        return True
    if base is not None and walk.own_object(base):
        return name in walk.names.members
    if name in ("format_map",) and base is not None:
        return walk.names.strings_of(base) is not None
    if any(path in BY_NAME or part_of(walk.policy, path) for path in paths):
        return True
    if walk.in_text or (name == "os" and not isinstance(base, (ast.Name, ast.Attribute, ast.Subscript))):
        return False
    return name in _WORDS - {"eval", "mro"} and base is not None and not rooted


def _table(walk: "Walk", base: ast.expr | None) -> bool:
    """Whether a name holds nothing but what a function of pandas itself made: then `obj` is a column.

    Anywhere else it may be that of an exception, which comes from handlers, groups, futures and `__exit__` alike.
    """
    made = walk.names.bindings.get(base.id, []) if isinstance(base, ast.Name) and base.id not in walk.local else []
    return bool(made) and all(isinstance(value, ast.Call) and any(
        path.startswith("pandas.") and path.count(".") == 1 for path in walk.names.resolve(value.func)) for value in made)
