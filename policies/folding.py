"""The same program with its texts written out: `chr(47) + "etc"` as "/etc".

What is made of nothing but literals, by operators and methods that only make texts, is put in the place of what makes it,
so that a text which is spelled is judged like one that is written. Nothing of the program runs: the operations are ours,
on short texts and small numbers.
"""

import ast
import base64
import binascii
import copy
import html
import operator
import re
import urllib.parse
from collections.abc import Callable
from typing import Any

from .literals import DUNDER
from .meanings import active_formula
from .texts import EXACT, spelled
from .visiting import every

FOLDED = "folded"
"""Marks a constant that was put together."""
_LONG = 2048
_MOST = 200
_LARGE = 10**9
_SPEC = re.compile(r"%(?:%|[a-zA-Z])")
_FIELD = re.compile(r"\{\w*\}")
_NUMBERS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
            ast.Mod: operator.mod, ast.BitXor: operator.xor, ast.BitOr: operator.or_, ast.BitAnd: operator.and_}
_DECODERS: dict[str, Callable[[Any], Any]] = {
    "b64decode": base64.b64decode, "urlsafe_b64decode": base64.urlsafe_b64decode, "b32decode": base64.b32decode,
    "b16decode": base64.b16decode, "b85decode": base64.b85decode, "a85decode": base64.a85decode,
    "unhexlify": binascii.unhexlify, "fromhex": bytes.fromhex, "unquote": urllib.parse.unquote,
    "unquote_plus": urllib.parse.unquote_plus, "unescape": html.unescape,
}
_MAKERS = frozenset({"chr", "bytes", "bytearray", "str"}) | frozenset(_DECODERS)
_LITERAL = (ast.Constant, ast.List, ast.Tuple)
_PADDING = frozenset({"center", "ljust", "rjust"})
_CODECS = frozenset({"utf-8", "utf8", "ascii", "latin-1", "latin1"})


def folded(tree: ast.Module) -> ast.Module | None:
    """A copy with its texts written out; null where no text of any meaning is put together."""
    nodes = every(tree)
    if not any(map(_begins, nodes)):
        return None
    folder = _Folder({node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
                     | {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))})
    plain = folder.visit(copy.deepcopy(tree))
    return plain if folder.meant else None


def _begins(node: ast.AST) -> bool:
    """Whether a node is made of literals alone, as the innermost part of every spelled text is."""
    if isinstance(node, ast.Call):
        func, first = node.func, node.args[0] if node.args else None
        if isinstance(func, ast.Name):
            if func.id == "map":
                return len(node.args) == 2 and isinstance(node.args[1], _LITERAL)
            return func.id in _MAKERS and not isinstance(first, (ast.Name, ast.Attribute, ast.Subscript))
        return isinstance(func, ast.Attribute) and (
            (func.attr in _DECODERS and isinstance(first, ast.Constant))
            or (isinstance(func.value, ast.Constant) and all(isinstance(item, _LITERAL) for item in node.args)))
    if isinstance(node, ast.BinOp):
        return (isinstance(node.left, ast.Constant) and isinstance(node.left.value, (str, bytes))
                and isinstance(node.right, (ast.Constant, ast.Tuple)))
    if isinstance(node, ast.Subscript):
        return isinstance(node.value, ast.Constant)
    return isinstance(node, ast.FormattedValue) and isinstance(node.value, ast.Constant)


class _Folder(ast.NodeTransformer):
    """Replaces from the inside out."""

    def __init__(self, own: set[str]) -> None:
        self.own = own
        """Names that the program binds, which are not the builtins."""
        self.meant = False

    def _put(self, node: ast.expr, value: object) -> ast.expr:
        if isinstance(value, (str, bytes)) and len(value) <= _LONG:
            text = value if isinstance(value, str) else value.decode("latin-1")
            self.meant |= spelled(text) or bool(DUNDER.search(text)) or active_formula(text)
        elif isinstance(value, bool) or not isinstance(value, int) or abs(value) > _LARGE:
            return node
        return ast.copy_location(ast.Constant(value, kind=FOLDED), node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        left, right = _value(node.left), _value(node.right)
        if type(left) is int and type(right) is int and type(node.op) in _NUMBERS and max(abs(left), abs(right)) <= _LARGE:
            zero = isinstance(node.op, (ast.FloorDiv, ast.Mod)) and right == 0
            return node if zero else self._put(node, _NUMBERS[type(node.op)](left, right))
        if isinstance(node.op, ast.Add) and type(left) is type(right) and isinstance(left, (str, bytes)):
            return self._put(node, left + right)
        if isinstance(node.op, ast.Mult) and isinstance(left, str) and type(right) is int and 0 <= right <= _MOST:
            return self._put(node, left * right) if len(left) <= _LONG else node
        if isinstance(node.op, ast.Mod) and isinstance(left, (str, bytes)):
            values = _values(node.right) if isinstance(node.right, ast.Tuple) else [right]
            text = left if isinstance(left, str) else left.decode("latin-1")
            if values is not None and None not in values and "%" not in _SPEC.sub("", text):
                return self._tried(node, lambda: left % tuple(values))
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        self.generic_visit(node)
        pieces = [_piece(part) for part in node.values]
        return node if any(piece is None for piece in pieces) else self._put(node, "".join(map(str, pieces)))

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.expr:
        node.value = self.visit(node.value)
        if node.format_spec is not None:
            self.generic_visit(node.format_spec)  # it stays an f-string, as others expect
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        held = _value(node.value)
        if not isinstance(held, (str, bytes)) or not isinstance(node.ctx, ast.Load):
            return node
        if isinstance(node.slice, ast.Slice):
            parts = (node.slice.lower, node.slice.upper, node.slice.step)
            bounds = [None if part is None else _value(part) for part in parts]
            known = all(bound is not None or part is None for bound, part in zip(bounds, parts, strict=True))
            return self._tried(node, lambda: held[slice(*bounds)]) if known else node
        index = _value(node.slice)
        return self._tried(node, lambda: held[index]) if type(index) is int else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        func = node.func
        values = _values(ast.Tuple(node.args, ast.Load()))
        if node.keywords:
            return node
        if isinstance(func, ast.Name) and func.id not in self.own:
            return self._builtin(node, func.id, values)
        if isinstance(func, ast.Attribute):
            base = _value(func.value)
            if isinstance(base, (str, bytes)):
                return self._method(node, func.attr, base, values)
            if func.attr in _DECODERS and values and len(values) == 1:
                return self._decoded(node, func.attr, values[0])
        return node

    def _builtin(self, node: ast.Call, name: str, values: list[Any] | None) -> ast.expr:
        if name == "map" and len(node.args) == 2 and isinstance(node.args[0], ast.Name) and node.args[0].id == "chr":
            codes = _values(node.args[1])
            if codes is not None and all(type(code) is int and 0 <= code < 0x110000 for code in codes):
                return ast.copy_location(ast.List([ast.Constant(chr(code)) for code in codes], ast.Load()), node)
        if name in ("bytes", "bytearray") and len(node.args) == 1 and isinstance(node.args[0], (ast.List, ast.Tuple)):
            codes = _values(node.args[0])
            return node if codes is None else self._tried(node, lambda: bytes(codes))
        if not values:
            return node
        if name == "chr" and type(values[0]) is int:
            return self._tried(node, lambda: chr(values[0]))
        if name == "ord" and isinstance(values[0], str):
            return self._tried(node, lambda: ord(values[0]))
        if name == "int" and isinstance(values[0], str) and len(values[0]) <= 9:
            return self._tried(node, lambda: int(*values))
        if name in ("str", "bytes") and len(values) == 2 and values[1] in _CODECS:
            return self._tried(node, lambda: str(*values) if name == "str" else bytes(*values))
        if name in _DECODERS and len(values) == 1:
            return self._decoded(node, name, values[0])
        return node

    def _method(self, node: ast.Call, name: str, base: str | bytes, values: list[Any] | None) -> ast.expr:
        if name == "join" and len(node.args) == 1:
            items = _values(node.args[0])
            return node if items is None else self._tried(node, lambda: base.join(items))
        if values is None:
            return node
        if name == ("encode" if isinstance(base, str) else "decode") and all(value in _CODECS for value in values):
            return self._tried(node, lambda: getattr(base, name)(*values))
        if not isinstance(base, str):
            return node
        if name in EXACT or (name in _PADDING and values and type(values[0]) is int and values[0] <= _MOST):
            return self._tried(node, lambda: getattr(base, name)(*values))
        if name == "format" and base.count("{") == len(_FIELD.findall(base)):
            return self._tried(node, lambda: base.format(*values))
        return node

    def _decoded(self, node: ast.Call, name: str, value: Any) -> ast.expr:
        short = isinstance(value, (str, bytes)) and len(value) <= _LONG
        return self._tried(node, lambda: _DECODERS[name](value)) if short else node

    def _tried(self, node: ast.expr, make: Callable[[], object]) -> ast.expr:
        try:
            return self._put(node, make())
        except (TypeError, ValueError, LookupError, AttributeError, OverflowError):
            return node


def _value(node: ast.expr) -> Any:
    """The text or number of a constant, short enough; else null."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _value(node.operand)
        return -inner if type(inner) is int else None
    value = node.value if isinstance(node, ast.Constant) else None
    if isinstance(value, (str, bytes)):
        return value if len(value) <= _LONG else None
    return value if type(value) is int and abs(value) <= _LARGE else None


def _values(node: ast.expr) -> list[Any] | None:
    """The constants of a tuple or list, or the characters of a text."""
    if isinstance(node, (ast.Tuple, ast.List)) and len(node.elts) <= _LONG:
        found = [_value(item) for item in node.elts]
        return None if None in found else found
    text = _value(node)
    return list(text) if isinstance(text, str) else None


def _piece(part: ast.expr) -> str | None:
    """One piece of an f-string, where it is written out."""
    if isinstance(part, ast.Constant):
        return str(part.value)
    if not isinstance(part, ast.FormattedValue) or part.conversion != -1:
        return None
    value = _value(part.value)
    spec = part.format_spec
    if spec is None:
        return None if value is None or isinstance(value, bytes) else str(value)
    told = "".join(str(one.value) for one in spec.values if isinstance(one, ast.Constant)) if isinstance(
        spec, ast.JoinedStr) else ""
    return chr(value) if told == "c" and type(value) is int and 0 <= value < 0x110000 else None
