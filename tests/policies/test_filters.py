"""The expression by which a rule is skipped at once hides nothing that the rule would find."""

import ast
import copy
from pathlib import Path
from typing import Any

import pytest
from fumehood.policies.canonical import canonicalise
from fumehood.policies.core import find_semgrep
from fumehood.policies.profile import Policy
from fumehood.policies.semgrep import Scanner

SAMPLES = Path(__file__).parents[1] / "rules"
FILTER = r"(?s)\A.*"


def without_filter(definition: dict[str, Any]) -> dict[str, Any]:
    plain = copy.deepcopy(definition)
    plain["patterns"] = [part for part in plain["patterns"] if not is_filter(part)]
    return plain


def is_filter(part: dict[str, Any]) -> bool:
    return str(part.get("pattern-regex", "")).startswith(FILTER)


def statements(sample: str) -> list[str]:
    """Each statement of a sample as a program of its own, after the imports, in the canonical form."""
    tree = ast.parse(sample)
    imports = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    alone = [[node] if node in imports else [*imports, node] for node in tree.body]
    return [canonicalise(ast.parse(ast.unparse(ast.Module(body=list(body), type_ignores=[])))).text for body in alone]


@pytest.fixture(scope="module")
def found(policy: Policy) -> dict[bool, set[tuple[str, str, int]]]:
    """With and without filters: program, rule, line."""
    filtered = [rule for rule in policy.rule_set if any(map(is_filter, rule.definition.get("patterns", [])))]
    assert len(filtered) > 70
    files = {f"{rule.id}/{number}.py": text for rule in filtered
             for number, text in enumerate(statements((SAMPLES / f"{rule.id}.py").read_text(encoding="utf-8")))}
    seen = {}
    for kept in (True, False):
        rules = [rule.definition if kept else without_filter(rule.definition) for rule in filtered]
        scanner = Scanner(find_semgrep(), {"rules": rules}, use_core=True, timeout_s=300)
        scan = scanner.scan(files)
        scanner.close()
        assert scan.failures == {}
        assert len(scan.scanned) == len(files)
        seen[kept] = {(match.file, match.rule, match.line) for match in scan.matches}
    return seen


def test_every_statement_that_a_rule_finds_passes_its_filter(found: dict[bool, set[tuple[str, str, int]]]) -> None:
    assert len(found[True]) > 1000
    assert found[True] == found[False]
