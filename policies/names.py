"""What the names of a program stand for: imports, aliases, visible strings, what its own classes define.

Reference-level and without scopes across functions: a name stands for everything it may stand for anywhere. Only names
that are local to a function are told apart, because a parameter called `time` is not the module.
"""

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_ROUNDS = 6
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
    caught: set[str] = field(default_factory=set)
    """Names of caught exceptions."""
    deleted: set[str] = field(default_factory=set)
    first_binding: dict[str, int] = field(default_factory=dict)
    """Name → line from which it is certainly bound at module level (in the judged program)."""

    def resolve(self, node: ast.expr, local: frozenset[str] = frozenset()) -> set[str]:
        """Dotted paths of an import that an expression of names and attributes stands for; empty for anything else."""
        tail: list[str] = []
        while isinstance(node, ast.Attribute):
            tail.append(node.attr)
            node = node.value
            if len(tail) > _CHAIN:
                raise RecursionError("a chain of attributes is too long")
        if not isinstance(node, ast.Name) or node.id in local:
            return set()
        return {".".join([path, *reversed(tail)]) for path in self.paths.get(node.id, ())}

    def rooted(self, node: ast.expr, local: frozenset[str] = frozenset()) -> bool:
        """Whether an expression begins at an imported name, through attributes, calls and subscripts."""
        for _ in range(_CHAIN):
            if not isinstance(node, (ast.Attribute, ast.Call, ast.Subscript)):
                break
            node = node.func if isinstance(node, ast.Call) else node.value
        else:
            raise RecursionError("a chain of attributes and calls is too long")
        return isinstance(node, ast.Name) and node.id in self.paths and node.id not in local

    def strings_of(self, node: ast.expr | None) -> frozenset[str] | None:
        """Every string an expression can be; null when that is not visible."""
        match node:
            case ast.Constant(value=str() as text):
                return frozenset({text})
            case ast.Name(id=name):
                return self.strings.get(name)
            case ast.IfExp(body=one, orelse=other):
                return _union([self.strings_of(one), self.strings_of(other)])
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                first, second = self.strings_of(left), self.strings_of(right)
                if first is None or second is None or len(first) * len(second) > 64 or max(
                        map(len, first)) + max(map(len, second)) > _LONGEST:
                    return None
                return frozenset(one + other for one in first for other in second)
            case ast.JoinedStr(values=parts) if all(isinstance(part, ast.Constant) for part in parts):
                return frozenset({"".join(str(part.value) for part in parts if isinstance(part, ast.Constant))})
        return None


def _union(parts: Iterable[frozenset[str] | None]) -> frozenset[str] | None:
    whole: set[str] = set()
    for part in parts:
        if part is None:
            return None
        whole |= part
    return frozenset(whole)


def bound_names(function: ast.AST) -> frozenset[str]:
    """Names local to one function: parameters and whatever it binds, without those it declares global or nonlocal."""
    bound: set[str] = set()
    outside: set[str] = set()
    arguments = getattr(function, "args", None)
    if isinstance(arguments, ast.arguments):
        bound |= {item.arg for item in _all_arguments(arguments)}
    body = function.body if isinstance(getattr(function, "body", None), list) else []  # type: ignore[attr-defined]
    stack: list[ast.AST] = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            outside |= set(node.names)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            bound.add(node.name)
            continue
        elif isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            continue
        stack.extend(ast.iter_child_nodes(node))
    return frozenset(bound - outside)


def _all_arguments(arguments: ast.arguments) -> list[ast.arg]:
    extra = [item for item in (arguments.vararg, arguments.kwarg) if item]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *extra]


def collect_names(trees: Sequence[ast.Module]) -> Names:
    """The tables for these programs, in the order in which they run; the last one is the judged one."""
    names = Names()
    collector = _Collector(names)
    for tree in trees:
        collector.visit(tree)
    collector.finish()
    for statement in trees[-1].body:
        for bound in _certain(statement):
            names.first_binding.setdefault(bound, statement.lineno)
    return names


def _certain(statement: ast.stmt) -> list[str]:
    """Names that a statement of the module's own body binds whenever the program gets past it."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [statement.name]
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    if isinstance(statement, ast.AnnAssign) and statement.value:
        targets = [statement.target]
    return [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]


class _Collector(ast.NodeVisitor):
    def __init__(self, names: Names) -> None:
        self.names = names
        self.bindings: dict[str, list[ast.expr | None]] = {}
        self.loops: list[tuple[ast.expr, ast.expr]] = []
        self.depth = 0

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            name = alias.asname or alias.name.split(".")[0]
            self._path(name, alias.name if alias.asname else name, module=True)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            path = f"{node.module or ''}.{alias.name}"
            self._path(alias.asname or alias.name, path, module=path in SUBMODULES)

    def _path(self, name: str, path: str, *, module: bool) -> None:
        self.names.paths.setdefault(name, set()).add(path)
        self.bindings.setdefault(name, []).append(None)
        if module:
            self.names.modules.add(name)

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self._bind(target, node.value)
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value:
            self._bind(node.target, node.value)
        self.generic_visit(node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self._bind(node.target, node.value)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._bind(node.target, None)
        self.generic_visit(node)

    def _loop(self, node: ast.For | ast.AsyncFor | ast.comprehension) -> None:
        self.loops.append((node.target, node.iter))
        self.generic_visit(node)

    visit_For = visit_AsyncFor = visit_comprehension = _loop

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self.names.caught.add(node.name)
            self.bindings.setdefault(node.name, []).append(None)
        self.generic_visit(node)

    def visit_withitem(self, node: ast.withitem) -> None:
        if node.optional_vars:
            self._bind(node.optional_vars, None)
        self.generic_visit(node)

    def visit_Delete(self, node: ast.Delete) -> None:
        self.names.deleted |= {item.id for target in node.targets for item in ast.walk(target) if isinstance(item,
                                                                                                             ast.Name)}
        self.generic_visit(node)

    def _capture(self, node: ast.MatchAs | ast.MatchStar | ast.MatchMapping) -> None:
        name = node.rest if isinstance(node, ast.MatchMapping) else node.name
        if name:
            self.bindings.setdefault(name, []).append(None)
        self.generic_visit(node)

    visit_MatchAs = visit_MatchStar = visit_MatchMapping = _capture

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.names.classes.add(node.name)
        self.bindings.setdefault(node.name, []).append(None)
        for statement in node.body:
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                self.names.members.add(statement.name)
            elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
                targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                self.names.members |= {target.id for target in targets if isinstance(target, ast.Name)}
        self.depth += 1
        self.generic_visit(node)
        self.depth -= 1

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.bindings.setdefault(node.name, []).append(None)
        self.names.functions.setdefault(node.name, []).extend(_all_arguments(node.args))
        self.generic_visit(node)

    visit_FunctionDef = visit_AsyncFunctionDef = _function

    def visit_arguments(self, node: ast.arguments) -> None:
        for item in _all_arguments(node):
            self.bindings.setdefault(item.arg, []).append(None)
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if self.depth and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            self.names.members.add(node.attr)
        self.generic_visit(node)

    def _bind(self, target: ast.expr, value: ast.expr | None) -> None:
        if isinstance(target, ast.Name):
            self.bindings.setdefault(target.id, []).append(value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            items = value.elts if isinstance(value, (ast.Tuple,
                                                     ast.List)) and len(value.elts) == len(target.elts) else None
            for index, part in enumerate(target.elts):
                self._bind(part, items[index] if items else None)
        elif isinstance(target, ast.Starred):
            self._bind(target.value, None)

    def finish(self) -> None:
        """Follows aliases and visible strings until nothing changes."""
        for target, source in self.loops:
            for value in _items(source):
                self._bind(target, value)
        names = self.names
        simple = [(name, value) for name, values in self.bindings.items() for value in values
                  if isinstance(value, (ast.Name, ast.Attribute, ast.IfExp, ast.BoolOp, ast.NamedExpr))]
        for _ in range(_ROUNDS):
            before = sum(map(len, names.paths.values())) + len(names.modules)
            for name, value in simple:
                self._alias(name, value)
            if sum(map(len, names.paths.values())) + len(names.modules) == before:
                break
        for _ in range(_ROUNDS):
            names.strings = {name: _union([names.strings_of(value) for value in values])
                             for name, values in self.bindings.items()}
        names.instances = {name for name, values in self.bindings.items() if values and all(
            isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in names.classes
            for value in values)}

    def _alias(self, name: str, value: ast.expr) -> None:
        names = self.names
        if isinstance(value, ast.IfExp):
            self._alias(name, value.body)
            self._alias(name, value.orelse)
        elif isinstance(value, ast.BoolOp):
            for part in value.values:
                self._alias(name, part)
        elif isinstance(value, ast.NamedExpr):
            self._alias(name, value.value)
        elif isinstance(value, (ast.Name, ast.Attribute)):
            found = names.resolve(value)
            if found and len(names.paths.get(name, ())) < 16:
                names.paths.setdefault(name, set()).update(found)
                names.aliases.add(name)
                if (isinstance(value, ast.Name) and value.id in names.modules) or found & SUBMODULES:
                    names.modules.add(name)


def _items(source: ast.expr) -> list[ast.expr | None]:
    """What a loop over this expression binds, where it is written out; else one unknown."""
    if isinstance(source, (ast.List, ast.Tuple, ast.Set)):
        return list(source.elts) or [None]
    if isinstance(source, ast.Dict):
        return list(source.keys) or [None]
    if isinstance(source, ast.Call) and isinstance(source.func, ast.Attribute) and isinstance(source.func.value,
                                                                                              ast.Dict):
        table = source.func.value
        if source.func.attr == "items":
            return [ast.Tuple([key, value], ast.Load()) if key else None
                    for key, value in zip(table.keys, table.values, strict=True)] or [None]
        return list(table.keys if source.func.attr == "keys" else table.values) or [None]
    return [None]
