"""What a loop binds, where what it goes through is written out."""

import ast

READERS = frozenset({"enumerate", "zip", "sorted", "reversed", "list", "tuple"})
"""Builtins that go through what a loop is given."""


def items_of(source: ast.expr) -> list[ast.expr | None]:
    """What a loop over this expression binds, where it is written out; else one unknown."""
    if isinstance(source, (ast.List, ast.Tuple, ast.Set)):
        return list(source.elts) or [None]
    if isinstance(source, ast.Dict):
        return list(source.keys) or [None]
    if isinstance(source, ast.Call) and isinstance(source.func, ast.Name) and source.func.id in READERS and source.args:
        inner = [items_of(argument) for argument in source.args if not isinstance(argument, ast.Starred)]
        if not inner:
            return [None]
        if source.func.id == "enumerate":
            return [ast.Tuple([ast.Constant(0), item], ast.Load()) if item else None for item in inner[0]]
        if source.func.id != "zip":
            return inner[0]
        return [ast.Tuple([item or ast.Constant(0) for item in row], ast.Load()) if all(row) else None
                for row in zip(*inner, strict=False)] or [None]
    if isinstance(source, ast.Call) and isinstance(source.func, ast.Attribute) and isinstance(source.func.value,
                                                                                              ast.Dict):
        table = source.func.value
        if source.func.attr == "items":
            return [ast.Tuple([key, value], ast.Load()) if key else None
                    for key, value in zip(table.keys, table.values, strict=True)] or [None]
        return list(table.keys if source.func.attr == "keys" else table.values) or [None]
    return [None]
