"""A broad `except` passes the error on, or says in a comment why it may end there."""

import ast
import io
import tokenize
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("graph", "nodes", "policies", "sandbox", "apps")
BROAD = {"Exception", "BaseException"}


def broad(handler: ast.ExceptHandler) -> bool:
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(item is None or (isinstance(item, ast.Name) and item.id in BROAD) for item in caught)


def swallowed(path: Path) -> list[str]:
    text = path.read_text("utf-8")
    comments = {token.start[0] for token in tokenize.generate_tokens(io.StringIO(text).readline)
                if token.type == tokenize.COMMENT}
    found = []
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.ExceptHandler) or not broad(node):
            continue
        passes_on = any(isinstance(inner, ast.Raise) for inner in ast.walk(node))
        lines = range(node.lineno - 1, (node.end_lineno or node.lineno) + 1)
        if not passes_on and not comments & set(lines):
            found.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    return found


def test_nothing_is_swallowed_without_a_word() -> None:
    files = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
    assert len(files) > 100
    assert [place for path in files for place in swallowed(path)] == []
