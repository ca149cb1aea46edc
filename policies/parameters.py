"""What the parameters of a program's own functions are given, where every call of the function is in sight."""

import ast
from collections.abc import Sequence

from .names import Names
from .visiting import every

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def given_parameters(trees: Sequence[ast.Module], names: Names) -> dict[str, list[ast.expr]]:
    """Parameter → its default and what calls put into it; for programs that fill templates only.

    A function that is a method, is handed on, decorated or changed, or is called with unpacked arguments, is left out, and
    so is a parameter whose name means anything else too.
    """
    nodes = [node for tree in trees for node in every(tree)]
    if not any(isinstance(node, ast.Attribute) and node.attr == "format" and isinstance(node.value, ast.Name)
               for node in nodes):
        return {}
    within = {id(part) for node in nodes if isinstance(node, ast.ClassDef) for part in every(node)}
    calls: dict[str, list[ast.Call]] = {}
    uses: dict[str, int] = {}
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            calls.setdefault(node.func.id, []).append(node)
        elif isinstance(node, ast.Name):
            uses[node.id] = uses.get(node.id, 0) + 1
    found: dict[str, list[ast.expr]] = {}
    for node in nodes:
        if isinstance(node, _Function) and id(node) not in within and not node.decorator_list:
            made = calls.get(node.name, [])
            once = names.bindings.get(node.name) == [None] and uses.get(node.name, 0) == len(made)
            if once and not any(_unpacks(call) for call in made):
                found |= _given(node.args, made, names)
    return found


def _unpacks(call: ast.Call) -> bool:
    return any(isinstance(item, ast.Starred) for item in call.args) or any(item.arg is None for item in call.keywords)


def _given(arguments: ast.arguments, calls: Sequence[ast.Call], names: Names) -> dict[str, list[ast.expr]]:
    places = [*arguments.posonlyargs, *arguments.args]
    first = len(places) - len(arguments.defaults)
    found: dict[str, list[ast.expr]] = {}
    for index, item in enumerate(places):
        found[item.arg] = arguments.defaults[index - first:][:1] if index >= first else []
        found[item.arg] += [value for call in calls for value in call.args[index:index + 1]]
    for item, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        found[item.arg] = [default] if default else []
    for call in calls:
        for keyword in call.keywords:
            found.setdefault(keyword.arg or "", []).append(keyword.value)
    return {name: values for name, values in found.items() if names.bindings.get(name) == [None]}
