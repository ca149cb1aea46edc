"""Imports point one way: apps, then the build, the nodes, the graph's parts, and policies and sandbox beside each other."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
MAY_IMPORT = {
    "apps": {"apps", "graph", "nodes", "policies", "sandbox"},
    "graph": {"graph", "policies", "sandbox"},
    "nodes": {"nodes", "graph", "policies", "sandbox"},
    "policies": {"policies"},
    "sandbox": {"sandbox"},
}
WIRING = {"graph/build.py"}
"""The one module of `graph/` that knows the nodes; drive.py and its like import it and no node."""


def siblings(path: Path) -> set[str]:
    """Top-level folders that a module imports from."""
    found = set()
    for item in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(item, ast.ImportFrom) and item.level >= 2 and item.module:
            depth = len(path.relative_to(ROOT).parts)
            if item.level == depth:
                found.add(item.module.split(".")[0])
        if isinstance(item, ast.ImportFrom) and item.level == 0 and (item.module or "").startswith("fumehood."):
            found.add((item.module or "").split(".")[1])
    return found


def test_imports_point_one_way() -> None:
    wrong = []
    for folder, allowed in MAY_IMPORT.items():
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            may = allowed | {"nodes"} if name in WIRING else allowed
            wrong += [f"{name} imports {other}" for other in sorted(siblings(path) - may)]
    assert wrong == []
