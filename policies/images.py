"""Names that hold nothing but images of Pillow: their `format` is a text, and no method that fills a template."""

import ast
from collections import Counter
from collections.abc import Sequence

from .names import Names
from .visiting import every

_MADE = frozenset({"PIL.Image.open", "PIL.Image.new", "PIL.Image.fromarray"})
_KEPT = frozenset({"convert", "resize", "copy", "crop", "rotate", "transpose", "filter", "quantize"})
"""Methods of an image that give another."""
_ROUNDS = 3


def image_names(trees: Sequence[ast.Module], names: Names) -> frozenset[str]:
    """Names whose every binding, in any scope, is an image that was opened or made."""
    roots = {name for name, paths in names.paths.items() if any(path.split(".")[0] == "PIL" for path in paths)}
    if not roots:
        return frozenset()
    bound: Counter[str] = Counter()
    made: list[tuple[str, ast.expr]] = []
    other: set[str] = set()
    for tree in trees:
        for node in every(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                bound[node.id] += 1
            elif isinstance(node, ast.Assign):
                made += [(target.id, node.value) for target in node.targets if isinstance(target, ast.Name)]
            elif isinstance(node, ast.withitem) and isinstance(node.optional_vars, ast.Name):
                made.append((node.optional_vars.id, node.context_expr))
            elif isinstance(node, ast.NamedExpr):
                made.append((node.target.id, node.value))
            elif isinstance(node, ast.arg):
                other.add(node.arg)
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.MatchAs, ast.MatchStar,
                                   ast.ExceptHandler)) and node.name:
                other.add(node.name)
            elif isinstance(node, ast.MatchMapping) and node.rest:
                other.add(node.rest)
    held: frozenset[str] = frozenset()
    if roots & (other | bound.keys()):  # what is called Image may be something else
        return held
    for _ in range(_ROUNDS):
        images = Counter(name for name, value in made if _is_image(value, names, held))
        held = frozenset(name for name, count in bound.items()
                         if images[name] == count and name not in other and name not in names.paths)
    return held


def _is_image(node: ast.expr, names: Names, held: frozenset[str]) -> bool:
    """Whether an expression is an image for certain, where `held` are names that hold one."""
    if isinstance(node, ast.Name):
        return node.id in held
    if not isinstance(node, ast.Call):
        return False
    paths = names.resolve(node.func)
    if paths:
        return paths <= _MADE
    return isinstance(node.func, ast.Attribute) and node.func.attr in _KEPT and _is_image(node.func.value, names, held)
