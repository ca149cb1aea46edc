"""Cases of level policy in tests/cases, read as they are, each under the rules that it brings."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from fumehood.policies.errors import PolicyInvalid
from fumehood.policies.gate import Gate
from fumehood.policies.profile import Policy, load_policy

CASES = {path.name[:3]: yaml.safe_load(path.read_text("utf-8"))
         for path in (Path(__file__).resolve().parents[1] / "cases").glob("08*_*.yml")}
MakePolicy = Callable[..., Policy]


def programs(number: str) -> list[Any]:
    return [pytest.param(text if isinstance(text, str) else eval(text["generator"], {"__builtins__": {}}), name, id=name)
            for name, text in CASES[number]["input"]["code"].items()]


def test_every_case_of_the_gate_is_run() -> None:
    assert {number for number, case in CASES.items() if case["input"]["level"] == "policy"} == {"080", "081", "083", "085"}


@pytest.fixture
def judge(small_policy: MakePolicy) -> Callable[[str, str], Any]:
    def made(number: str, program: str) -> Any:
        return Gate(small_policy(CASES[number]["input"]["policy"]["rules_yaml"])).judge(program)
    return made


@pytest.mark.parametrize(("program", "name"), programs("080"))
def test_080_comments_switch_nothing_off(judge: Callable[[str, str], Any], program: str, name: str) -> None:
    verdict = judge("080", program)
    assert verdict.decision == "deny"
    assert ("no-shell", CASES["080"]["expect"]["each"]["finding_line"][name]) in {
        (finding.rule, finding.line) for finding in verdict.findings}


@pytest.mark.parametrize(("program", "name"), programs("081"))
def test_081_ignore_files_and_size_hide_nothing(judge: Callable[[str, str], Any], program: str, name: str, tmp_path: Path,
                                                monkeypatch: pytest.MonkeyPatch) -> None:
    files = CASES["081"]["input"]["files"]
    for item in files:
        (tmp_path / item["path"]).write_text(item["content"])
    monkeypatch.chdir(tmp_path)
    verdict = judge("081", program)
    assert verdict.decision == ("allow" if CASES["081"]["expect"][name]["status"] == "answered" else "deny")
    assert verdict.scanned or verdict.decision == "deny"
    assert [(tmp_path / item["path"]).read_text() for item in files] == [item["content"] for item in files]


@pytest.mark.parametrize("kind", ["bad_pattern", "bad_yaml", "missing_file", "remote_config"])
def test_083_broken_rules_judge_nothing(small_policy: MakePolicy, tmp_path: Path, kind: str) -> None:
    given = CASES["083"]["input"]["policy"][kind]
    try:
        if isinstance(given, dict) and "rules_yaml" in given:
            why = Gate(small_policy(given["rules_yaml"]), home=tmp_path / "home").unavailable()
        else:
            load_policy(extra_rules=[Path(given["rules_path"] if isinstance(given, dict) else given)])
            why = None
    except PolicyInvalid as error:
        why = str(error)
    assert why
    assert any(word in why for word in ("rule", "nofile.yml", "p/python")), why


@pytest.mark.parametrize(("program", "name"), programs("085"))
def test_085_a_word_is_no_call(judge: Callable[[str, str], Any], program: str, name: str) -> None:
    verdict = judge("085", program)
    if CASES["085"]["expect"][name]["status"] == "answered":
        assert verdict.decision == "allow"
    assert all(finding.rule and finding.line and finding.source for finding in verdict.findings)
