"""What kind of thing an expression is, as far as its form tells: one text, a path, an index."""

import ast

from .spelling import ABSOLUTE, PATHS
from .tables import Tables
from .texts import DATA, EXACT, HIDDEN, Text

_TEXT_CALLS = frozenset({"join", "format", "rjust", "ljust", "center", "zfill", "str", "translate", "chr",
                         "decode", "encode"})
_DEEP = 6


def is_text(tables: Tables, node: ast.AST, deep: int = 0) -> bool:
    """Whether an expression is one text, rather than a list of them."""
    if isinstance(node, ast.Name):
        return deep < _DEEP and any(is_text(tables, value, deep + 1) for value in tables.by_name.get(node.id, ())
                                if value is not node)
    if isinstance(node, ast.Call):
        return tables.called(node.func) in EXACT.keys() | _TEXT_CALLS
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, (ast.Add, ast.Mod, ast.Mult)) and (is_text(tables, node.left, deep)
                                                                      or is_text(tables, node.right, deep))
    if isinstance(node, ast.Attribute):
        return tables.dotted(node).startswith("string.")
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)))


def is_path(tables: Tables, node: ast.AST, deep: int = 0) -> bool:
    """Whether an expression is surely a Path."""
    if isinstance(node, ast.Name):
        return deep < _DEEP and any(is_path(tables, value, deep + 1) for value in tables.by_name.get(node.id, ())
                                    if value is not node)
    if isinstance(node, ast.Call):
        name = tables.called(node.func)
        if name in PATHS or name in ("cwd", "with_suffix", "with_name", "with_stem", "joinpath"):
            return True
        return isinstance(node.func, ast.Attribute) and name in ABSOLUTE and is_path(tables, node.func.value, deep)
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Div) and (is_path(tables, node.left, deep) or is_path(tables, node.right, deep))
    if isinstance(node, ast.Attribute):
        return node.attr == "parent" and is_path(tables, node.value, deep)
    if isinstance(node, ast.Subscript):
        inner = node.value
        while isinstance(inner, ast.Call) and inner.args:
            inner = inner.args[0]
        return isinstance(inner, ast.Attribute) and inner.attr == "parents"
    return False


def in_memory(tables: Tables, node: ast.AST) -> bool:
    """Whether an expression is surely a file in memory, which is no path."""
    values = tables.by_name.get(node.id, []) if isinstance(node, ast.Name) else [node]
    return bool(values) and all(isinstance(value, ast.Call) and tables.dotted(value.func) in ("io.BytesIO", "io.StringIO")
                                for value in values)


def is_joined(tables: Tables, node: ast.AST, deep: int = 0) -> bool:
    """Whether an expression is the text of a path that was put together, with the slashes in it."""
    if isinstance(node, ast.Name):
        return deep < _DEEP and any(is_joined(tables, value, deep + 1) for value in tables.by_name.get(node.id, ())
                                    if value is not node)
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute) and node.func.attr == "as_posix":
        return True
    return tables.dotted(node.func) in ("os.path.join", "os.fspath") or (
        tables.called(node.func) in ("str", "repr", "fspath") and any(is_path(tables, item) for item in node.args))


def letter(node: ast.Call) -> Text:
    """`chr(65 + n)` and `chr(ord("a") + n)` count through letters; any other character is hidden."""
    argument = node.args[0] if node.args else None
    if isinstance(argument, ast.BinOp) and isinstance(argument.op, ast.Add):
        for part in (argument.left, argument.right):
            if isinstance(part, ast.Constant) and isinstance(part.value, int) and part.value >= 65:
                return DATA
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == "ord" and part.args \
                    and isinstance(part.args[0], ast.Constant) and str(part.args[0].value).isalpha():
                return DATA
    return HIDDEN


def index_of(node: ast.expr) -> slice | int | None:
    """A slice or index made of plain numbers; null for any other."""
    if isinstance(node, ast.Slice):
        bounds = [None if part is None else number_of(part) for part in (node.lower, node.upper, node.step)]
        plain = all(bound is not None or part is None
                    for bound, part in zip(bounds, (node.lower, node.upper, node.step), strict=True))
        return slice(*bounds) if plain and bounds[2] != 0 else None
    return number_of(node)


def number_of(node: ast.expr) -> int | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = number_of(node.operand)
        return None if inner is None else -inner
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


def counts(argument: ast.expr, tables: Tables) -> bool:
    """Whether a name is bound to a number for certain, whatever else it is bound to elsewhere."""
    if not isinstance(argument, ast.Name):
        return False
    return any(isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in ("range", "int", "len")
               for value in tables.by_name.get(argument.id, ()))
