"""The shipped rules: each does what its sample says, none is without a reason, none could be left out."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from fumehood.policies.canonical import SENTINEL
from fumehood.policies.core import rules_document
from fumehood.policies.gate import Gate
from fumehood.policies.profile import Policy, load_policy
from fumehood.policies.ruleset import SHIPPED_RULES
from fumehood.policies.selftest import SelftestReport, read_marks, run_selftest

FILES = sorted(SHIPPED_RULES.glob("*.yml"))
NAMES = [path.stem for path in FILES]
SAMPLES = Path(__file__).parents[1] / "rules"
FAMILIES = {
    "code from data": ["no-eval", "no-exec", "no-compile", "no-pickle", "no-read-pickle", "no-allow-pickle",
                       "no-pandas-eval", "no-query-names", "no-annotation-eval", "no-unsafe-yaml"],
    "processes": ["no-subprocess", "no-shell", "no-fork", "no-multiprocessing", "no-other-os"],
    "network": ["no-sockets", "no-http-client", "no-url-readers", "no-downloads", "no-async-network", "no-servers"],
    "files outside the workspace": ["no-absolute-paths", "no-parent-paths", "no-system-files", "no-home", "no-links",
                                    "no-sqlite-files", "no-folder-change", "no-tar-extract"],
    "dynamic import and attributes": ["no-dunder-import", "no-importlib", "no-computed-getattr", "no-named-getattr",
                                      "no-builtins", "no-dunders", "no-frames", "no-garbage-collector", "no-ctypes",
                                      "no-sys-modules", "no-sys-hooks", "no-reexported-modules", "no-format-fields"],
    "persistence": ["no-startup-files", "no-written-modules", "no-own-source", "no-late-code"],
    "resource bombs": ["no-huge-literals", "no-power-towers", "no-endless-loops", "no-thread-bombs", "no-long-sleep"],
    "signals": ["no-signals", "no-raised-limits"],
    "environment": ["no-environment", "no-host-identity"],
    "decoding tricks": ["no-codecs", "no-decoded-code", "no-spelled-names", "no-lookalike-names"],
    "secrets": ["no-secret-literals"],
    "executable files": ["no-executable-files"],
}


@pytest.fixture(scope="module")
def shipped() -> Policy:
    return load_policy()


@pytest.fixture(scope="module")
def report(shipped: Policy) -> SelftestReport:
    return run_selftest(shipped)


def test_there_are_at_least_sixty_rules_one_a_file() -> None:
    assert len(FILES) >= 60
    for path in FILES:
        [rule] = yaml.safe_load(path.read_text(encoding="utf-8"))["rules"]
        assert rule["id"] == path.stem


def test_every_sample_belongs_to_a_rule() -> None:
    assert sorted(path.stem for path in SAMPLES.glob("*.py")) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_rule_does_what_its_sample_says(name: str, report: SelftestReport) -> None:
    assert [problem for problem in report.problems if problem.rule == name] == []


@pytest.mark.parametrize("name", NAMES)
def test_sample_is_rich_and_is_python(name: str) -> None:
    text = (SAMPLES / f"{name}.py").read_text(encoding="utf-8")
    ast.parse(text)
    must, must_not = read_marks(text)
    assert len(must[name]) >= 2
    assert must_not[name]
    assert not must[name] & must_not[name]
    assert set(must) | set(must_not) == {name}


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_rule_says_what_why_and_the_way_out(path: Path) -> None:
    [rule] = yaml.safe_load(path.read_text(encoding="utf-8"))["rules"]
    assert re.fullmatch(r"no-[a-z0-9]+(-[a-z0-9]+)*", rule["id"])
    message = " ".join(rule["message"].split())
    assert 40 <= len(message) <= 400
    assert message.count(".") >= 1
    metadata = rule["metadata"]
    assert re.fullmatch(r"CWE-\d+", metadata["cwe"])
    assert re.fullmatch(r"\d+\.\d+\.\d+", str(metadata["since"]))
    assert len(metadata["why"].split()) >= 6
    assert 5 <= len(metadata["fix"]) <= 160
    ast.parse(metadata["canary"])


def test_every_family_has_its_rules() -> None:
    assert [name for names in FAMILIES.values() for name in names if name not in NAMES] == []


def test_no_rule_is_needless_and_no_two_could_be_swapped(report: SelftestReport) -> None:
    assert [problem.message for problem in report.problems] == []
    assert report.rules == report.samples == len(FILES)
    assert report.must_match >= 500
    assert report.must_not_match >= 300


ONLY_BY_RULE = {
    "no-active-documents": 'import openpyxl\nopenpyxl.load_workbook("a.xlsm", keep_vba=True)\n',
    "no-decoded-code": f'import base64\nprint(len(base64.b64decode("{"QUJD" * 20}")))\n',
    "no-endless-loops": "rows = []\nwhile True:\n    rows.append(1)\n",
    "no-huge-literals": 'text = "x" * 3_000_000_000\nprint(len(text))\n',
    "no-long-sleep": "import time\ntime.sleep(3600)\n",
    "no-secret-literals": 'key = "AKIAIOSFODNN7EXAMPLE"\nprint(len(key))\n',
    "no-unescaped-html": 'import pandas as pd\npd.DataFrame({"a": [1]}).to_html("a.html", escape=False)\n',
}
"""Programs that nothing else in the gate refuses."""


@pytest.fixture(scope="module")
def gates(shipped: Policy, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[bool, Gate]]:
    """The gate with these rules and without them."""
    without = [rule for rule in shipped.rule_set if rule.id not in ONLY_BY_RULE]
    fewer = shipped.model_copy(update={"rule_set": without, "sha256": "0" * 64})
    home = tmp_path_factory.mktemp("gates")
    made = {True: Gate(shipped, home=home), False: Gate(fewer, home=home)}
    yield made
    for gate in made.values():
        gate.close()


@pytest.mark.parametrize("name", sorted(ONLY_BY_RULE))
def test_deleting_the_rule_lets_the_program_through(name: str, gates: dict[bool, Gate]) -> None:
    program = ONLY_BY_RULE[name]
    with_rule, without = gates[True].judge(program), gates[False].judge(program)
    assert name in {finding.rule for finding in with_rule.findings}
    assert with_rule.decision != "allow"
    assert name not in {finding.rule for finding in without.findings}
    assert [finding.rule for finding in without.findings if finding.severity == "ERROR"] == []


def test_rules_reach_semgrep_as_one_document(shipped: Policy) -> None:
    document = json.loads(rules_document(rule.definition for rule in shipped.rule_set))
    assert [rule["id"] for rule in document["rules"]] == [*NAMES, SENTINEL]
