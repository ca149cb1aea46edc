"""The corpora: what must be denied is denied, what is harmless is allowed, what fools a scanner is never allowed."""

from pathlib import Path

import pytest
from fumehood.policies.gate import Gate
from fumehood.policies.verdict import Finding, Verdict

CORPUS = Path(__file__).parents[1] / "corpus"
TOO_BIG = {
    "malicious/425_many_matches.py": "import os\nos.system('echo')\n"
                                     + "x = os.system if 0 else 0; y = exec if 0 else 0\n" * 5_200,
    "gate_fail_open/06_over_1mb.py": "import os\nos.system('echo')\n" + ("# " + "y" * 76 + "\n") * 13_000,
    "gate_fail_open/28_too_many_matches.py": "import os\n" + "if 0: os.system('x')\n" * 10_500,
    "gate_fail_open/29_too_many_exec.py": "if 0: exec('x')\n" * 10_500,
}
"""Too long to store."""


def programs(folder: str) -> dict[str, bytes]:
    found = {str(path.relative_to(CORPUS)): path.read_bytes() for path in sorted((CORPUS / folder).rglob("*"))
             if path.is_file() and path.name != ".semgrepignore"}
    return found | {name: text.encode() for name, text in TOO_BIG.items() if name.startswith(folder)}


@pytest.fixture(scope="module")
def judged(gate: Gate) -> dict[str, Verdict]:
    names, contents = [], []
    for folder in ("malicious", "evasions", "benign", "ordinary", "gate_fail_open"):
        for name, content in programs(folder).items():
            names.append(name)
            contents.append(content)
    return dict(zip(names, gate.judge_many(contents), strict=True))


def within(judged: dict[str, Verdict], *folders: str) -> dict[str, Verdict]:
    return {name: verdict for name, verdict in judged.items() if name.split("/")[0] in folders}


def denials(verdict: Verdict, gate: Gate, *, semgrep: bool) -> list[Finding]:
    return [finding for finding in verdict.findings
            if finding.severity == "ERROR" and (finding.rule in gate.policy.rules_by_id) == semgrep]


def test_every_program_that_must_be_denied_is(judged: dict[str, Verdict]) -> None:
    found = within(judged, "malicious", "evasions")
    assert len(found) >= 690
    assert {name: verdict.decision for name, verdict in found.items() if verdict.decision != "deny"} == {}


def test_nothing_harmless_is_denied_or_sent_to_a_person(judged: dict[str, Verdict]) -> None:
    found = within(judged, "benign", "ordinary")
    assert len(found) >= 500
    assert {name: [(finding.rule, finding.line) for finding in verdict.findings]
            for name, verdict in found.items() if verdict.decision != "allow"} == {}


def test_nothing_that_a_scanner_overlooks_is_allowed(judged: dict[str, Verdict]) -> None:
    found = within(judged, "gate_fail_open")
    assert len(found) >= 44
    assert [name for name, verdict in found.items() if verdict.decision != "deny"] == []


def test_each_engine_alone_denies_nearly_all(judged: dict[str, Verdict], gate: Gate) -> None:
    found = within(judged, "malicious")
    tree = sum(bool(denials(verdict, gate, semgrep=False)) for verdict in found.values()) / len(found)
    rules = sum(bool(denials(verdict, gate, semgrep=True)) for verdict in found.values()) / len(found)
    print(f"alone, of {len(found)}: tree {tree:.1%}, Semgrep {rules:.1%}")
    assert tree >= 0.99
    assert rules >= 0.95


def test_each_denial_names_a_rule_a_reason_and_a_way_out(judged: dict[str, Verdict]) -> None:
    for name, verdict in within(judged, "malicious", "evasions").items():
        for finding in verdict.findings:
            assert finding.rule, name
            assert finding.message, name
            assert finding.fix or finding.severity != "ERROR", (name, finding.rule)


def test_one_scan_for_all_says_what_one_scan_each_says(judged: dict[str, Verdict], gate: Gate) -> None:
    for name in ("malicious/001_os_system.py", "gate_fail_open/69_case_guard.py", "benign/001_groupby_totals.py"):
        again = gate.judge((CORPUS / name).read_bytes())
        assert again.model_dump(exclude={"scanned"}) == judged[name].model_dump(exclude={"scanned"})
