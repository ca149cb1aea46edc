"""Denied programs stay denied when they are rewritten, and whatever Python compiles is judged or denied."""

import ast
import string
from pathlib import Path

import pytest
from fumehood.policies.canonical import SENTINEL, CannotLower, canonicalise
from fumehood.policies.disguise import variants
from fumehood.policies.facts import collect_facts
from fumehood.policies.gate import Gate
from fumehood.policies.leaks import check_paths
from fumehood.policies.source import check_identifiers, check_text, parse_program
from fumehood.policies.tree import walk_program
from fumehood.policies.verdict import Finding
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

CORPUS = Path(__file__).parents[1] / "corpus"
DENIED = sorted(path for folder in ("malicious", "evasions") for path in (CORPUS / folder).glob("*.py"))
ORDINARY = sorted(path for folder in ("benign", "ordinary") for path in (CORPUS / folder).glob("*.py"))
RELAXED = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def source(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def denied_by_tree(gate: Gate, program: str) -> bool:
    """Whether the parts of the gate before Semgrep deny a program."""
    if check_text(program):
        return True
    tree = parse_program(program)
    if isinstance(tree, Finding):
        return True
    findings, names = walk_program(tree, gate.policy)
    findings += collect_facts(tree, names, program)[1] + check_identifiers(program)
    for plain in variants(tree):
        found, meant = walk_program(plain, gate.policy)
        findings += found + collect_facts(plain, meant, program)[1] + check_paths(plain)
    return any(finding.severity == "ERROR" for finding in findings) or bool(check_paths(tree))


class Rename(ast.NodeTransformer):
    """Gives every import another name, and every use of it."""

    def __init__(self, word: str) -> None:
        self.word = word
        self.names: dict[str, str] = {}

    def _alias(self, node: ast.Import | ast.ImportFrom) -> ast.AST:
        for alias in node.names:
            if alias.name != "*" and not ("." in alias.name and not alias.asname):
                old = alias.asname or alias.name
                alias.asname = self.names.setdefault(old, f"{self.word}_{len(self.names)}")
        return node

    visit_Import = visit_ImportFrom = _alias

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self.names.get(node.id, node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg = self.names.get(node.arg, node.arg)
        return self.generic_visit(node)


def in_function(tree: ast.Module) -> str:
    return "def outer():\n" + "\n".join(f"    {line}" for line in ast.unparse(tree).splitlines()) + "\nouter()\n"


def in_guard(tree: ast.Module) -> str | None:
    """Each bare expression moved into the guard of a case."""
    if not any(isinstance(node, ast.Expr) for node in tree.body):
        return None
    out = []
    for node in tree.body:
        text = ast.unparse(node)
        out.append(f"match 1:\n    case _ if {text}:\n        pass" if isinstance(node, ast.Expr) else text)
    return "\n".join(out) + "\n"


def in_fstring_spec(tree: ast.Module) -> str | None:
    out = []
    for node in tree.body:
        text = ast.unparse(node)
        if isinstance(node, ast.Expr) and not set(text) & set("'\"\\{}\n"):
            out.append("x = f'{1:{" + text + "!r:.0}}'")
        else:
            out.append(text)
    return "\n".join(out) + "\n"


def in_comprehension(tree: ast.Module) -> str:
    return "\n".join(f"[{ast.unparse(node)} for _ in (1,)]" if isinstance(node, ast.Expr) and not any(
        isinstance(part, (ast.Yield, ast.YieldFrom, ast.Await)) for part in ast.walk(node)) else ast.unparse(node)
        for node in tree.body) + "\n"


def in_class(tree: ast.Module) -> str:
    return "class Outer:\n    def run(self):\n" + "\n".join(f"        {line}"
                                                            for line in ast.unparse(tree).splitlines()) + "\n"


def in_try(tree: ast.Module) -> str:
    body = "\n".join(f"    {line}" for line in ast.unparse(tree).splitlines())
    return f"try:\n{body}\nfinally:\n    pass\n"


MOVES = {"function": in_function, "guard": in_guard, "f-string spec": in_fstring_spec,
         "comprehension": in_comprehension,
         "method": in_class, "try": in_try}
REBOUND = {"eval_after_conditional_shadow", "exec_shadow_deleted"}
"""Inside a function the name is the function's own, bound or not, and the builtin is out of reach."""
SCOPED = ("global ", "nonlocal", "import *", "__future__", "from .", "return", "yield")
"""Words that may stand only where they stand: a program with one of them is not moved."""


@pytest.mark.parametrize("move", MOVES.values(), ids=MOVES.keys())
def test_moving_a_denied_program_elsewhere_does_not_help_it(gate: Gate, move: object) -> None:
    missed, moved = [], 0
    for path in DENIED:
        tree = parse_program(source(path))
        if isinstance(tree, Finding) or any(word in source(path) for word in SCOPED) or path.stem in REBOUND:
            continue
        program = move(tree)  # type: ignore[operator]
        if program is None or isinstance(parse_program(program), Finding):
            continue
        moved += 1
        if not denied_by_tree(gate, program):
            missed.append(path.name)
    assert moved > 100
    assert missed == []


@RELAXED
@given(path=st.sampled_from(DENIED), word=st.text(string.ascii_lowercase, min_size=1,
                                                  max_size=8).filter(str.isidentifier))
def test_new_names_for_imports_do_not_help(gate: Gate, path: Path, word: str) -> None:
    tree = parse_program(source(path))
    if not isinstance(tree, Finding):
        renamed = ast.unparse(Rename(word + "zz").visit(tree)) + "\n"
        assert denied_by_tree(gate, renamed)


def test_one_new_name_for_every_import_of_every_denied_program_does_not_help(gate: Gate) -> None:
    trees = {path.name: parse_program(source(path)) for path in DENIED}
    missed = [name for name, tree in trees.items() if not isinstance(tree, Finding)
              and not denied_by_tree(gate, ast.unparse(Rename("other").visit(tree)) + "\n")]
    assert missed == []


@RELAXED
@given(path=st.sampled_from(DENIED), harmless=st.lists(st.sampled_from(ORDINARY), max_size=3), after=st.booleans())
def test_harmless_code_around_it_does_not_help(gate: Gate, path: Path, harmless: list[Path], after: bool) -> None:
    if "__future__" in source(path) or any("__future__" in source(one) for one in harmless):
        return
    around = "\n".join(source(one) for one in harmless)
    assert denied_by_tree(gate, f"{source(path)}\n{around}" if after else f"{around}\n{source(path)}")


@RELAXED
@given(path=st.sampled_from(ORDINARY), word=st.text(string.ascii_lowercase, min_size=1,
                                                    max_size=8).filter(str.isidentifier))
def test_harmless_programs_stay_harmless_with_new_names(gate: Gate, path: Path, word: str) -> None:
    tree = parse_program(source(path))
    assert not isinstance(tree, Finding)
    assert not denied_by_tree(gate, ast.unparse(Rename(word + "zz").visit(tree)) + "\n")


CHUNKS = st.sampled_from([line for path in DENIED + ORDINARY for line in source(path).splitlines(keepends=True)])
TOKENS = st.sampled_from(["match ", "case ", "*", "**", ":", "(", ")", "[", "]", "{", "}", "f'", "'", '"""', "\\",
                          "\n", "    ",
                          "lambda ", "exec", "eval", "x", ".os", " if ", " for ", " in ", "=", ":=", "!r", "#", "@",
                          ",", "_",
                          "\r", "\x0c", "\u00a0", "\u2028", "\uff45", "\ufeff", "# coding: utf-7\n", "\x00"])


@settings(max_examples=400, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(parts=st.lists(st.one_of(CHUNKS, TOKENS, st.text(max_size=6)), max_size=25))
def test_any_text_is_judged_and_never_raises(gate: Gate, parts: list[str]) -> None:
    program = "".join(parts)
    if check_text(program):
        return
    tree = parse_program(program)
    if isinstance(tree, Finding):
        return
    walk_program(tree, gate.policy)
    check_paths(tree)
    try:
        text = canonicalise(tree).text
    except CannotLower:
        return
    again = ast.parse(text)
    assert ast.unparse(again.body[-1]) == f"{SENTINEL}()"
    assert "match " not in "".join(type(node).__name__ + " " for node in ast.walk(again)).lower() + " "


def test_every_call_and_name_of_a_program_is_in_its_canonical_source() -> None:
    """Lowering loses nothing that can run: each name, attribute and constant that Python evaluates is still there."""
    for path in DENIED + ORDINARY:
        tree = parse_program(source(path))
        if isinstance(tree, Finding):
            continue
        wanted = _parts(ast.parse(source(path)))
        found = _parts(ast.parse(canonicalise(tree).text))
        assert wanted - found == set(), path.name


def _parts(tree: ast.Module) -> set[str]:
    parts: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            parts.add(node.id)
        elif isinstance(node, ast.Attribute):
            parts.add(f".{node.attr}")
        elif isinstance(node, ast.MatchClass):
            parts |= {f".{name}" for name in node.kwd_attrs}
        elif isinstance(node, ast.keyword):
            parts.add(f"{node.arg}=")
        elif isinstance(node, ast.Constant) and isinstance(node.value, (int, bytes)):
            parts.add(repr(node.value))
    return parts


def test_semgrep_reads_the_canonical_source_of_everything(gate: Gate) -> None:
    """No ordinary syntax is refused for the scanner's sake."""
    verdicts = gate.judge_many([path.read_bytes() for path in DENIED + ORDINARY])
    unread = [path.name for path, verdict in zip(DENIED + ORDINARY, verdicts, strict=True)
              if any(finding.rule == "not-scanned" for finding in verdict.findings)]
    assert unread == []
