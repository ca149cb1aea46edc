"""Going through trees: all nodes, in order, and nothing kept of a program that is gone."""

import ast
import gc
import weakref

from fumehood.policies.visiting import every

TEXT = "def f(a, *b):\n    return [a for a in b if a]\n\n\nprint(f(1, 2), {**{'x': 1}})\n"


def test_every_node_is_there_once_and_again() -> None:
    tree = ast.parse(TEXT)
    whole = [node for node in ast.walk(tree) if not isinstance(node, ast.expr_context)]
    for _ in range(2):
        assert every(tree) == whole
    first, *_ = tree.body
    assert every(first)[0] is first
    assert set(every(first)) < set(whole)


def test_a_caller_may_change_the_list() -> None:
    tree = ast.parse(TEXT)
    every(tree).clear()
    assert len(every(tree)) > 10


def test_a_program_is_let_go() -> None:
    tree = ast.parse(TEXT)
    every(tree)
    gone = weakref.ref(tree)
    del tree
    gc.collect()
    assert gone() is None
