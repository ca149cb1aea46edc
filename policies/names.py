"""What the names of a program stand for: imports, aliases, visible strings, what its own classes define.

Reference-level and without scopes across functions: a name stands for everything it may stand for anywhere. Only names
that are local to a function are told apart, because a parameter called `time` is not the module.
"""

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

from .visiting import children

_LONGEST = 4096
_CHAIN = 200
"""Longest chain of dots, calls and subscripts that is followed; a longer one is denied as too complex."""

SUBMODULES = frozenset({
    "concurrent.futures", "collections.abc", "html.parser", "html.entities", "os.path", "urllib.parse",
    "matplotlib.pyplot", "matplotlib.cm", "matplotlib.colors", "matplotlib.dates", "matplotlib.ticker",
    "matplotlib.patches",
    "matplotlib.gridspec", "matplotlib.style", "matplotlib.lines", "matplotlib.figure", "matplotlib.image",
    "numpy.random", "numpy.linalg", "numpy.fft", "numpy.ma", "numpy.polynomial", "numpy.char", "numpy.typing",
    "numpy.lib",
    "pandas.api", "pandas.plotting", "pandas.tseries", "pandas.errors", "pandas.io", "pandas.core", "pandas.testing",
    "scipy.stats", "scipy.optimize", "scipy.integrate", "scipy.interpolate", "scipy.signal", "scipy.linalg",
    "scipy.sparse",
    "scipy.spatial", "scipy.special", "scipy.fft", "scipy.ndimage", "scipy.cluster", "scipy.io", "scipy.constants",
    "scipy.odr",
})
"""Dotted names that `from package import name` binds to a module rather than to a function or class."""

CARRIERS = frozenset({"collections", "heapq", "itertools", "functools", "copy", "queue", "random", "bisect",
                      "dataclasses", "operator", "abc", "enum", "statistics", "math"})
"""Modules that hand back the program's own objects."""


@dataclass(slots=True)
class Names:
    """Tables over the whole of a run: the programs of earlier steps and the judged one."""

    paths: dict[str, set[str]] = field(default_factory=dict)
    """Name → dotted paths it may stand for (`pd` → pandas, `read` → pandas.read_csv)."""
    modules: set[str] = field(default_factory=set)
    """Names that may stand for a module itself."""
    aliases: set[str] = field(default_factory=set)
    """Names that got an import's path by an assignment."""
    strings: dict[str, frozenset[str] | None] = field(default_factory=dict)
    """Name → every string it can hold; null when one of its bindings is not a visible string."""
    classes: set[str] = field(default_factory=set)
    functions: dict[str, list[ast.arg]] = field(default_factory=dict)
    instances: set[str] = field(default_factory=set)
    """Names bound only to instances of the program's own classes."""
    members: set[str] = field(default_factory=set)
    """Attributes and methods that the program's own classes define."""
    deleted: set[str] = field(default_factory=set)
    fields: dict[str, list[ast.expr | None]] = field(default_factory=dict)
    """Attribute → every expression it is set to, by a dot or in the body of a class; null for one that is not visible."""
    given: dict[str, list[ast.expr]] = field(default_factory=dict)
    """Parameter of an own function → everything it can be given, where that is in sight."""
    returned: frozenset[int] = frozenset()
    """Identities of the names of pyplot in returns from which it gets to nobody."""
    loops: dict[str, list[ast.expr]] = field(default_factory=dict)
    """Name → what loops that bind it go through."""
    renamed: bool = False
    """Whether the name of something else than self may be set, as that of a field of a dataclass."""
    by_text: bool = False
    """Whether the program may set attributes by names in texts, or in ways that are not followed."""
    bodies: dict[str, list[ast.ClassDef]] = field(default_factory=dict)
    """Own class → its definitions."""
    bindings: dict[str, list[ast.expr | None]] = field(default_factory=dict)
    """Name → every expression it is bound to; null for a binding that is no visible expression."""
    images: frozenset[str] = frozenset()
    """Names that hold nothing but images of Pillow."""
    selves: frozenset[str] = frozenset()
    """Those of `self` and `cls` that can only be the program's own objects."""
    foreign: set[str] = field(default_factory=set)
    """Names that may hold an object that a library made."""
    keys: dict[str, frozenset[str] | None] = field(default_factory=dict)
    """Name → keys of the dicts it can hold; null when one of them is not written out."""
    values: dict[str, frozenset[str] | None] = field(default_factory=dict)
    """Name → every string in the dicts and lists it can hold; null when they can hold anything else."""
    first_binding: dict[str, int] = field(default_factory=dict)
    """Name → line from which it is certainly bound at module level (in the judged program)."""

    def resolve(self, node: ast.expr, local: frozenset[str] = frozenset()) -> set[str]:
        """Dotted paths of an import that an expression of names and attributes stands for; empty for anything else."""
        tail: list[str] = []
        while isinstance(node, (ast.Attribute, ast.NamedExpr)):
            if isinstance(node, ast.Attribute):
                tail.append(node.attr)
            node = node.value
            if len(tail) > _CHAIN:
                raise RecursionError("a chain of attributes is too long")
        if not isinstance(node, ast.Name) or node.id in local:
            return set()
        return {".".join([path, *reversed(tail)]) for path in self.paths.get(node.id, ())}

    def surely(self, node: ast.expr, local: frozenset[str] = frozenset()) -> set[str]:
        """The same where nothing but its import binds the name that it begins with; else empty."""
        root = node
        while isinstance(root, ast.Attribute):
            root = root.value
        once = isinstance(root, ast.Name) and len(self.bindings.get(root.id, ())) == 1
        return self.resolve(node, local) if once else set()

    def rooted(self, node: ast.expr, local: frozenset[str] = frozenset()) -> bool:
        """Whether an expression begins at an imported name, through attributes, calls and subscripts."""
        for _ in range(_CHAIN):
            if not isinstance(node, (ast.Attribute, ast.Call, ast.Subscript, ast.NamedExpr)):
                break
            node = node.func if isinstance(node, ast.Call) else node.value
        else:
            raise RecursionError("a chain of attributes and calls is too long")
        return isinstance(node, ast.Name) and node.id in self.paths and node.id not in local

    def from_library(self, node: ast.expr) -> bool:
        """Whether an expression may be an object that a library made: its root is an import, or a name that holds one."""
        for _ in range(_CHAIN):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id not in self.paths:
                return node.func.id not in self.classes and any(self.from_library(part) for part in node.args)
            if not isinstance(node, (ast.Attribute, ast.Call, ast.Subscript, ast.Await, ast.Starred)):
                break
            node = node.func if isinstance(node, ast.Call) else node.value
        if isinstance(node, ast.Name):
            paths = self.paths.get(node.id, ())
            return node.id in self.foreign or any(path.split(".")[0] not in CARRIERS for path in paths)
        return isinstance(node, (ast.IfExp, ast.BoolOp, ast.NamedExpr)) and any(
            self.from_library(part) for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr))

    def strings_of(self, node: ast.expr | None) -> frozenset[str] | None:
        """Every string an expression can be; null when that is not visible."""
        match node:
            case ast.Constant(value=str() as text):
                return frozenset({text})
            case ast.Name(id=name):
                return self.strings.get(name)
            case ast.IfExp(body=one, orelse=other):
                return union([self.strings_of(one), self.strings_of(other)])
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                first, second = self.strings_of(left), self.strings_of(right)
                if first is None or second is None or len(first) * len(second) > 64 or max(
                        map(len, first)) + max(map(len, second)) > _LONGEST:
                    return None
                return frozenset(one + other for one in first for other in second)
            case ast.BinOp(left=left, op=ast.Mult(), right=ast.Constant(value=int() as times)) if 0 <= times <= 64:
                texts = self.strings_of(left)
                return None if texts is None else frozenset((text * times)[:_LONGEST] for text in texts)
            case ast.JoinedStr(values=parts) if all(isinstance(part, ast.Constant) for part in parts):
                return frozenset({"".join(str(part.value) for part in parts if isinstance(part, ast.Constant))})
            case ast.Subscript(value=ast.Name(id=name)):
                return self.values.get(name)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="get"), args=[_, *rest]):
                return union([self.values.get(name), *map(self.strings_of, rest)])
        return None


def union(parts: Iterable[frozenset[str] | None]) -> frozenset[str] | None:
    whole: set[str] = set()
    for part in parts:
        if part is None:
            return None
        whole |= part
    return frozenset(whole)


def bound_names(function: ast.AST) -> frozenset[str]:
    """Names local to one function: parameters and whatever it binds, without imports and what it declares global."""
    bound: set[str] = set()
    outside: set[str] = set()
    arguments = getattr(function, "args", None)
    if isinstance(arguments, ast.arguments):
        bound |= {item.arg for item in all_arguments(arguments)}
    body = function.body if isinstance(getattr(function, "body", None), list) else []  # type: ignore[attr-defined]
    stack: list[ast.AST] = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            outside |= set(node.names)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            outside |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            bound.add(node.name)
            continue
        elif isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            continue
        stack.extend(children(node))
    return frozenset(bound - outside)


def outer_names(scope: ast.AST) -> frozenset[str]:
    """Names that a function or class body takes from outside of the functions around it: declared global, or imported."""
    found: set[str] = set()
    stack: list[ast.AST] = list(scope.body) if isinstance(getattr(scope, "body", None), list) else []  # type: ignore[attr-defined]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Global):
            found |= set(node.names)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            stack.extend(children(node))
    return frozenset(found)


def defaults_of(arguments: ast.arguments) -> list[ast.expr]:
    return [*arguments.defaults, *(value for value in arguments.kw_defaults if value is not None)]


def all_arguments(arguments: ast.arguments) -> list[ast.arg]:
    extra = [item for item in (arguments.vararg, arguments.kwarg) if item]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *extra]
