"""Templates of `str.format`: which attributes they read, where what they are made of is written out."""

import ast
from typing import TYPE_CHECKING

from .classes import plain_class, text_classes
from .literals import DUNDER, template_reads

if TYPE_CHECKING:
    from .tree import Walk

_FSTRING = "Use an f-string, or a literal template with plain fields."
_KEEPERS = frozenset({"StrMethodFormatter", "StrFormatStyle"})
"""Classes of libraries that format with a text later."""
_DEEP = 6
_OPERATORS = frozenset({"__mul__", "__rmul__", "__add__", "__radd__"})
"""Methods of a class of the program's that make something else of a text times or plus an object."""


def check_format(walk: "Walk", node: ast.Attribute) -> None:
    base = node.value
    if isinstance(base, ast.Name) and base.id in walk.names.images and not walk.is_permitted(node):
        return
    if (walk.own_object(base) and not text_classes(walk)) or (_styler(base) and "style" not in walk.names.members):
        return
    _check(walk, node, templates_of(walk, base))


def check_kept(walk: "Walk", node: ast.Call, paths: set[str]) -> None:
    """Judges a template that is kept by an object of a library, which formats with it later, where it is written out."""
    called = {path.rsplit(".", 1)[-1] for path in paths} | {getattr(node.func, "attr", getattr(node.func, "id", ""))}
    templates = templates_of(walk, node.args[0]) if called & _KEEPERS and node.args else None
    if templates is not None:
        _check(walk, node, templates)


def _check(walk: "Walk", node: ast.expr, templates: frozenset[str] | None) -> None:
    if templates is None:
        walk.deny(node, "format-template",
                  "format on text that is not written out can read attributes of its arguments.", _FSTRING)
        return
    for template in sorted(templates):
        for name in template_reads(template) or ():
            if DUNDER.search(name):
                walk.deny(node, "format-template", f"The template reads {name}.", _FSTRING)
            else:
                walk.attribute(node, name, None)


def _styler(base: ast.expr) -> bool:
    """`df.style.format(...)` formats a table; nothing of it is str.format."""
    while isinstance(base, (ast.Attribute, ast.Call)):
        if isinstance(base, ast.Attribute) and base.attr == "style":
            return True
        base = base.func if isinstance(base, ast.Call) else base.value
    return False


def templates_of(walk: "Walk", node: ast.expr | None, depth: int = 0) -> frozenset[str] | None:
    """The template an expression is, or whole templates that it is put together from; null when that is not visible.

    What is read by templates one after the other is what each of them reads.
    """
    whole = walk.names.strings_of(node)
    if whole is not None or depth > _DEEP:
        return whole
    parts: list[ast.expr | None]
    match node:
        case ast.BinOp() | ast.Call() if walk.names.members & _OPERATORS:
            return None
        case ast.BinOp(left=one, op=ast.Mult(), right=other):
            parts = [next((part for part in (one, other) if templates_of(walk, part, depth + 1) is not None), None)]
        case ast.BinOp(left=one, op=ast.Add(), right=other):
            parts = [one, other]
        case ast.Call(func=ast.Attribute(value=between, attr="join"), args=[items], keywords=[]):
            while isinstance(items, ast.BinOp) and isinstance(items.op, ast.Mult):
                items = items.left if isinstance(items.left, (ast.List, ast.Tuple)) else items.right
            elements = items.elts if isinstance(items, (ast.List, ast.Tuple)) else [None]
            parts = [between, *([items.elt] if isinstance(items, (ast.ListComp, ast.GeneratorExp)) else elements)]
        case ast.Name(id=name) if name not in walk.names.paths:
            parts = list(walk.names.given.get(name) or walk.names.bindings.get(name) or [None])
        case ast.Attribute(value=base, attr=name) if _own_field(walk, base):
            parts = list(walk.names.fields.get(name) or [None])
        case _:
            return None
    found = [templates_of(walk, part, depth + 1) for part in parts]
    if any(one is None for one in found):
        return None
    texts = frozenset(text for one in found for text in one or ())
    return texts if len(texts) <= 64 and all(template_reads(text) is not None for text in texts) else None


def _own_field(walk: "Walk", base: ast.expr) -> bool:
    """Whether an object is of a class of the program's whose fields are set nowhere but in sight, or is that class."""
    if not isinstance(base, ast.Name) or walk.names.by_text:
        return False
    if base.id in ("self", "cls"):
        return base.id in walk.names.selves and walk.around is not None and plain_class(walk.names, walk.around)
    made = [value.func for value in walk.names.bindings.get(base.id, ()) if isinstance(value, ast.Call)]
    kinds = [kind.id for kind in made if isinstance(kind, ast.Name)] if base.id in walk.names.instances else [base.id]
    return base.id not in walk.local and all(len(walk.names.bindings.get(kind, ())) == len(walk.names.bodies.get(kind, ()))
                                             and all(plain_class(walk.names, body) for body in walk.names.bodies[kind])
                                             for kind in kinds if kind in walk.names.bodies) and any(
                                                 kind in walk.names.bodies for kind in kinds)


def formats_logs(walk: "Walk") -> bool:
    """Whether the class around derives from logging.Formatter."""
    return walk.around is not None and any("logging.Formatter" in walk.names.resolve(base) for base in walk.around.bases)


def check_logging(walk: "Walk", node: ast.Call) -> None:
    styles = [walk.names.strings_of(item.value) for item in node.keywords if item.arg == "style"]
    if len(node.args) > 2:
        styles.append(walk.names.strings_of(node.args[2]))
    if any(style is None or "{" in style for style in styles):
        formats = [item.value for item in node.keywords if item.arg in ("fmt", "format")] + node.args[:1]
        texts = [walk.names.strings_of(item) for item in formats]
        if any(text is None for text in texts) or any(template_reads(one) for text in texts for one in text or ()):
            walk.deny(node, "format-template", "A log format in brace style can read attributes of what is logged.",
                      "Use the default style: \"%(message)s\".")
