"""Mutated programs: whatever comes out is judged without a crash, and what was denied stays denied where it still stands.

The bound is the number of examples. `python -m pytest tests/policies/test_fuzz.py --hypothesis-seed=random` with a larger
FUMEHOOD_FUZZ_EXAMPLES looks further.
"""

import ast
import copy
import os
from pathlib import Path
from random import Random

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
EXAMPLES = int(os.environ.get("FUMEHOOD_FUZZ_EXAMPLES", "250"))
BOUNDED = settings(max_examples=EXAMPLES, deadline=None, derandomize=EXAMPLES <= 250,
                   suppress_health_check=list(HealthCheck))
WORDS = ["eval", "os", "type", "__class__", "x"]
VALUES = ["/etc/passwd", "__globals__", "eval", 1, None, b"..", "a"]
SEEDS = st.integers(0, 2**32)


def parsed(path: Path) -> ast.Module | None:
    text = path.read_text(encoding="utf-8")
    tree = None if check_text(text) else parse_program(text)
    return tree if isinstance(tree, ast.Module) else None


TREES = {path: tree for path in DENIED + ORDINARY if (tree := parsed(path)) is not None}
HOSTILE = [path for path in DENIED if path in TREES]


def judged(gate: Gate, program: str) -> list[Finding] | None:
    """All that the gate says before Semgrep; null where it refuses the text or its syntax."""
    if check_text(program):
        return None
    tree = parse_program(program)
    if isinstance(tree, Finding):
        return None
    findings, names = walk_program(tree, gate.policy)
    for plain in variants(tree):
        found, meant = walk_program(plain, gate.policy)
        findings += found + collect_facts(plain, meant, program)[1] + check_paths(plain)
    findings += collect_facts(tree, names, program)[1] + check_paths(tree) + check_identifiers(program)
    try:
        text = canonicalise(tree).text
    except CannotLower:
        return None
    assert text.endswith(f"{SENTINEL}()\n")
    ast.parse(text)
    return findings


def denied(gate: Gate, program: str) -> bool:
    findings = judged(gate, program)
    return findings is None or any(finding.severity == "ERROR" for finding in findings)


def expressions(tree: ast.AST) -> list[tuple[ast.AST, str, int | None]]:
    """Every place that holds an expression which is read."""
    found: list[tuple[ast.AST, str, int | None]] = []
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                found.append((node, name, None))
            elif isinstance(value, list):
                found += [(node, name, index) for index, item in enumerate(value) if isinstance(item, ast.expr)]
    return found


def held(place: tuple[ast.AST, str, int | None]) -> ast.expr:
    node, name, index = place
    value = getattr(node, name)
    return value if index is None else value[index]  # type: ignore[no-any-return]


def put(place: tuple[ast.AST, str, int | None], value: ast.expr) -> None:
    node, name, index = place
    if index is None:
        setattr(node, name, value)
    else:
        getattr(node, name)[index] = value


def scrambled(tree: ast.Module, donor: ast.Module, chance: Random) -> str | None:
    """A program with parts of another one in it, at random; null where Python has no text for it."""
    tree = copy.deepcopy(tree)
    for _ in range(chance.randint(1, 4)):
        kind = chance.randrange(5)
        places, gifts = expressions(tree), expressions(donor)
        bodies = [node.body for node in ast.walk(tree) if isinstance(getattr(node, "body", None), list) and node.body]  # type: ignore[attr-defined]
        if kind == 0 and places and gifts:
            put(chance.choice(places), copy.deepcopy(held(chance.choice(gifts))))
        elif kind == 1 and bodies:
            chance.choice(bodies).insert(0, copy.deepcopy(chance.choice(donor.body)))
        elif kind == 2 and bodies:
            body = chance.choice(bodies)
            if len(body) > 1:
                body.pop(chance.randrange(len(body)))
        elif kind == 3:
            names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
            if names:
                chance.choice(names).id = chance.choice([*(node.id for node in names), *WORDS])
        elif kind == 4 and places:
            put(chance.choice(places), ast.Constant(chance.choice(VALUES)))
    try:
        return ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    except (ValueError, RecursionError, AttributeError, TypeError):
        return None


def surrounded(tree: ast.Module, harmless: ast.Module, chance: Random) -> str:
    """The same program, with all of its statements, inside and among others."""
    body = copy.deepcopy(tree.body)
    future = [node for node in body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    body = [node for node in body if node not in future]
    for _ in range(chance.randint(1, 3)):
        start = chance.randrange(len(body) + 1)
        end = chance.randint(start, len(body))
        part = body[start:end] or [ast.Pass()]
        wrapped: list[ast.stmt]
        kind = chance.randrange(6)
        yes = ast.Constant(True)
        if kind == 0:
            wrapped = [ast.If(yes, part, [])]
        elif kind == 1:
            wrapped = [ast.Try(part, [], [], [ast.Pass()])]
        elif kind == 2:
            wrapped = [ast.For(ast.Name("once_only", ast.Store()), ast.List([ast.Constant(1)], ast.Load()), part, [])]
        elif kind == 3:
            wrapped = [ast.While(yes, [*part, ast.Break()], [])]
        elif kind == 4:
            wrapped = [ast.If(ast.Constant(0), [ast.Pass()], part)]
        else:
            wrapped = [*part, *copy.deepcopy(harmless.body)]
            if any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in harmless.body):
                wrapped = part
        body[start:end] = wrapped
    return ast.unparse(ast.fix_missing_locations(ast.Module([*future, *body], []))) + "\n"


@BOUNDED
@given(path=st.sampled_from(sorted(TREES)), donor=st.sampled_from(sorted(TREES)), seed=SEEDS)
def test_no_mutation_brings_the_gate_down(gate: Gate, path: Path, donor: Path, seed: int) -> None:
    program = scrambled(TREES[path], TREES[donor], Random(seed))
    if program is not None:
        judged(gate, program)


@BOUNDED
@given(path=st.sampled_from(HOSTILE), harmless=st.sampled_from([path for path in ORDINARY if path in TREES]), seed=SEEDS)
def test_a_denied_program_stays_denied_among_other_statements(gate: Gate, path: Path, harmless: Path, seed: int) -> None:
    program = surrounded(TREES[path], TREES[harmless], Random(seed))
    assert denied(gate, program), program


@settings(BOUNDED, max_examples=max(EXAMPLES // 20, 10))
@given(path=st.sampled_from(HOSTILE), donor=st.sampled_from(sorted(TREES)), seed=SEEDS)
def test_the_whole_gate_has_a_verdict_for_any_mutation(gate: Gate, path: Path, donor: Path, seed: int) -> None:
    program = scrambled(TREES[path], TREES[donor], Random(seed))
    if program is None:
        return
    verdict = gate.judge(program)
    before = judged(gate, program)
    if before is None or any(finding.severity == "ERROR" for finding in before):
        assert verdict.decision == "deny"
