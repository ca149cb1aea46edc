"""What flows where in a program, by the names that hold it: filled by flow.py, read by what judges paths."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from .spelling import BUILTINS

_PICKS = frozenset({"items", "values", "get", "pop", "copy"})


@dataclass(slots=True)
class Tables:
    flows: list[tuple[list[str], ast.AST]] = field(default_factory=list)
    by_name: dict[str, list[ast.AST]] = field(default_factory=dict)
    """The same by the name that is filled."""
    calls: list[ast.Call] = field(default_factory=list)
    literals: bool = False
    """Whether any text of the programs leaves the working folder."""
    system: set[str] = field(default_factory=set)
    """Names of os, os.path and shutil, and of functions imported from them that take a path."""
    handed: set[str] = field(default_factory=set)
    """Names of functions of os and shutil that are imported by name, or taken as values."""
    sinks: frozenset[str] = frozenset()
    """Names of calls that open, list or change files, the program's own names for them among them."""
    joins: list[ast.BinOp] = field(default_factory=list)
    """Divisions: with text on the right, paths are joined, and an absolute one replaces what is on the left."""
    origins: dict[str, str] = field(default_factory=dict)
    """Name → dotted path that it was imported from."""
    parents: dict[int, ast.AST] = field(default_factory=dict)
    functions: dict[str, list[str]] = field(default_factory=dict)
    whole: set[str] = field(default_factory=set)
    """Functions defined in the body of a program itself."""
    shadowed: set[str] = field(default_factory=set)
    """Names of classes and of parameters of a lambda."""
    returned: set[int] = field(default_factory=set)
    """Values that flow to a function's name because it returns them."""

    def is_own(self, name: str) -> bool:
        """Whether a name can only be a function that the program defines, which is judged by its body."""
        return (name in self.whole and name not in self.shadowed | set(self.origins) | BUILTINS
                and all(id(value) in self.returned for value in self.by_name.get(name, ())))

    def is_bare(self, name: str) -> bool:
        """Whether nothing can give an object of the program's own a function of os or shutil as its method of that name."""
        return name not in self.handed and name not in self.origins and all(
            id(value) in self.returned for value in self.by_name.get(name, ()))

    def is_system(self, node: ast.AST, depth: int = 0) -> bool:
        """Whether an object may be os, os.path or shutil, by its own name or another one."""
        while isinstance(node, ast.Attribute):
            node = node.value
        parts = ast.walk(node) if isinstance(node, (ast.IfExp, ast.BoolOp, ast.NamedExpr)) else [node]
        return any(isinstance(part, ast.Name) and (part.id in self.system or (depth < 4 and any(
            self.is_system(value, depth + 1) for value in self.by_name.get(part.id, ())))) for part in parts)

    def dotted(self, node: ast.AST) -> str:
        """The dotted path of a name or attribute that begins at an import; empty for anything else."""
        tail: list[str] = []
        while isinstance(node, ast.Attribute):
            tail.append(node.attr)
            node = node.value
        origin = self.origins.get(node.id) if isinstance(node, ast.Name) else None
        return ".".join([origin, *reversed(tail)]) if origin else ""

    def called(self, func: ast.AST, depth: int = 0) -> str:
        """The last name of what is called, under its own name where the program gave it another."""
        if isinstance(func, ast.Attribute):
            return func.attr
        if not isinstance(func, ast.Name):
            return ""
        if func.id in self.origins:
            return self.origins[func.id].rsplit(".", 1)[-1]
        for value in self.by_name.get(func.id, ()) if depth < 4 else ():
            if id(value) in self.returned:  # what a function answers is not what it is
                continue
            if isinstance(value, ast.Attribute) or (isinstance(value, ast.Name) and value.id != func.id):
                return self.called(value, depth + 1)
        return func.id


def targets_of(target: ast.expr) -> list[str]:
    """Names and attributes that an assignment fills; a subscript fills its container."""
    if isinstance(target, ast.Name):
        return [target.id]
    if isinstance(target, ast.Attribute):
        return [target.attr]
    if isinstance(target, (ast.Subscript, ast.Starred)):
        return targets_of(target.value)
    return [name for part in getattr(target, "elts", []) for name in targets_of(part)]


def picked(value: ast.AST) -> Iterator[ast.Name | ast.Attribute]:
    """The functions that an expression may be, or may hold: `open if x else y`, `{"csv": read_csv}`, `readers[kind]`."""
    if isinstance(value, (ast.Name, ast.Attribute)):
        yield value
    elif isinstance(value, ast.Subscript) or (isinstance(value, ast.Call) and getattr(value.func, "attr", "") in _PICKS):
        yield from picked(value.value if isinstance(value, ast.Subscript) else value.func.value)  # type: ignore[attr-defined]
    elif isinstance(value, (ast.IfExp, ast.BoolOp, ast.Dict, ast.List, ast.Tuple, ast.Set)):
        for part in ast.iter_child_nodes(value):
            yield from picked(part)
