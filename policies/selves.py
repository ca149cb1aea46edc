"""Whether `self` and `cls` can only be the program's own objects: a method called through its class takes anything."""

import ast
from collections.abc import Sequence

from .visiting import every

_NAMES = frozenset({"self", "cls"})


def own_selves(trees: Sequence[ast.Module]) -> frozenset[str]:
    """Those of `self` and `cls` that are nowhere but the first parameter of a method, where no method is called unbound."""
    classes: set[str] = set()
    methods: set[str] = set()
    firsts: set[int] = set()
    nodes = [node for tree in trees for node in every(tree)]
    for node in nodes:
        if not isinstance(node, ast.ClassDef):
            continue
        classes.add(node.name)
        for part in node.body:
            if not isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            kinds = {one.id for one in part.decorator_list if isinstance(one, ast.Name)}
            if "staticmethod" in kinds:
                continue
            firsts |= {id(item) for item in [*part.args.posonlyargs, *part.args.args][:1]}
            if "classmethod" not in kinds and not part.name.startswith("__"):
                methods.add(part.name)
    other: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.arg) and id(node) not in firsts:
            other.add(node.arg)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            other.add(node.id)
        elif isinstance(node, ast.Attribute) and node.attr in methods and _class(node.value, classes):
            return frozenset()
        elif isinstance(node, (ast.MatchAs, ast.MatchStar, ast.ExceptHandler)) and node.name:
            other.add(node.name)
    return _NAMES - other


def _class(node: ast.expr, classes: set[str]) -> bool:
    """Whether an expression may be a class of the program's: by its name, or as the type of something."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "type"
    return (isinstance(node, ast.Name) and node.id in classes) or (isinstance(node, ast.Attribute)
                                                                   and node.attr == "__class__")
