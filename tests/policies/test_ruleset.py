"""Rule files: everything that would make a rule match nothing without a word is an error."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from fumehood.policies.errors import PolicyInvalid
from fumehood.policies.ruleset import find_rule_files, load_rules, read_rule_file

GOOD: dict[str, Any] = {"id": "no-spam", "languages": ["python"], "severity": "ERROR",
                        "message": "no spam;\n  leave it out", "metadata": {"fix": "use ham", "since": 0.1},
                        "pattern": "spam(...)"}
MATCH = {"pattern": "$X.spam($Y)"}


def with_(**changes: Any) -> dict[str, Any]:
    changed = {key.replace("_", "-"): value for key, value in changes.items()}
    return {key: value for key, value in {**GOOD, **changed}.items() if value is not None}


def regex(text: str, metavariable: str = "$X") -> dict[str, Any]:
    return {"metavariable-regex": {"metavariable": metavariable, "regex": text}}


def written(folder: Path, *rules: Any, name: str = "rule.yml") -> Path:
    path = folder / name
    path.write_text(yaml.safe_dump({"rules": list(rules)}), encoding="utf-8")
    return path


def test_a_rule_is_read_with_its_reason_and_its_way_out(tmp_path: Path) -> None:
    [rule] = read_rule_file(written(tmp_path, GOOD))
    assert (rule.id, rule.severity, rule.message, rule.fix) == ("no-spam", "ERROR", "no spam; leave it out", "use ham")
    assert rule.file == str(tmp_path / "rule.yml")
    assert rule.definition["pattern"] == "spam(...)"


def test_digest_is_of_the_definition(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    [first] = read_rule_file(written(tmp_path, GOOD))
    [second] = read_rule_file(written(tmp_path / "other", GOOD))
    [third] = read_rule_file(written(tmp_path, with_(severity="INFO")))
    assert first.sha256 == second.sha256 != third.sha256


@pytest.mark.parametrize("rule", [
    with_(pattern=None, patterns=[MATCH, regex("^(a|b)$")]),
    with_(pattern=None, patterns=[MATCH, regex("(?i)^a$", "$Y")]),
    with_(pattern=None, pattern_either=[MATCH, {"pattern": "eggs()"}]),
    with_(pattern=None, pattern_regex="eggs"),
    with_(pattern=None, patterns=[{"pattern-regex": "(?P<NAME>\\w+)"}, regex("^a$", "$NAME")]),
    with_(pattern=None, patterns=[{"pattern-either": [MATCH, {"pattern": "f($X)"}]}, regex("^a$")]),
    with_(pattern=None, patterns=[MATCH, {"metavariable-comparison": {"comparison": "$Y > 3"}}]),
    with_(pattern=None, patterns=[{"pattern-either": [{"patterns": [{"pattern": "f($Z)"}, regex("^a$")]}]},
                                  {"pattern-inside": "class $X: ..."}]),
    with_(pattern=None, mode="taint", pattern_sources=[{"pattern": "input(...)"}],
          pattern_sinks=[{"pattern": "eat(...)"}]),
])
def test_what_works_in_semgrep_is_taken(tmp_path: Path, rule: dict[str, Any]) -> None:
    assert [found.id for found in read_rule_file(written(tmp_path, rule))] == ["no-spam"]


@pytest.mark.parametrize(("rule", "said"), [
    (with_(message=None), "a message is needed"),
    (with_(message="  "), "a message is needed"),
    (with_(severity=None), "severity must be ERROR"),
    (with_(severity="HIGH"), "severity must be ERROR"),
    (with_(languages=["javascript"]), "languages must be [python]"),
    (with_(languages=["python", "go"]), "languages must be [python]"),
    (with_(languages=None), "languages must be [python]"),
    (with_(id=None), "needs an id"),
    (with_(id=True), "needs an id"),
    (with_(id="no spam"), "needs an id"),
    ("no-spam", "needs an id"),
    (with_(paths={"exclude": ["*.py"]}), "`paths` may not be used"),
    (with_(min_version="99.0.0"), "`min-version` may not be used"),
    (with_(max_version="1.0.0"), "`max-version` may not be used"),
    (with_(patern="x"), "unknown key `patern`"),
    (with_(metadata="why not"), "metadata must be a table"),
    (with_(pattern=None), "exactly one of pattern"),
    (with_(patterns=[MATCH]), "exactly one of pattern"),
    (with_(pattern=""), "pattern must be text"),
    (with_(pattern=5), "pattern must be text"),
    (with_(pattern=None, patterns=[]), "must be a list of patterns, not empty"),
    (with_(pattern=None, pattern_either=["spam()"]), "must be a list of patterns, not empty"),
    (with_(pattern=None, patterns=[{"pattern-not": "spam()"}]), "without a positive pattern"),
    (with_(pattern=None, patterns=[{"pattern": "spam()"}, regex("^a$")]), "which no pattern beside it binds"),
    (with_(pattern=None, patterns=[{"pattern-either": [MATCH, {"pattern": "f()"}]}, regex("^a$")]),
     "binds in every branch"),
    (with_(pattern=None, patterns=[MATCH, {"metavariable-comparison": {"comparison": "$N > 3"}}]), "tests $N"),
    (with_(pattern=None, patterns=[MATCH, {"metavariable-regex": {"regex": "^a$"}}]), "needs a metavariable"),
    (with_(pattern=None, patterns=[MATCH, regex("a|b")]), "must begin with ^ and end with $"),
    (with_(pattern=None, patterns=[MATCH, regex("^a")]), "must begin with ^ and end with $"),
    (with_(pattern=None, patterns=[MATCH, regex("a$")]), "must begin with ^ and end with $"),
    (with_(pattern=None, patterns=[MATCH, regex("^(a$")]), "does not compile"),
    (with_(pattern=None, pattern_regex="(a"), "does not compile"),
    (with_(mode="join"), "mode must be search or taint"),
    (with_(mode="taint"), "pattern-sources and pattern-sinks"),
    (with_(pattern=None, mode="taint", pattern_sources=[{"pattern": "input(...)"}]),
     "pattern-sources and pattern-sinks"),
])
def test_what_would_match_nothing_is_an_error(tmp_path: Path, rule: Any, said: str) -> None:
    with pytest.raises(PolicyInvalid) as caught:
        read_rule_file(written(tmp_path, rule))
    assert said in str(caught.value)
    assert str(tmp_path / "rule.yml") in str(caught.value)


@pytest.mark.parametrize(("content", "said"), [
    (b"rules: [", "cannot be read as YAML"),
    (b"\xff\xfe", "is not UTF-8"),
    (b"", "one key, `rules`"),
    (b"- id: x", "one key, `rules`"),
    (b"rules: []", "list of rules is empty"),
    (b"rules: {}", "one key, `rules`"),
    (b"rules: []\nextra: 1", "one key, `rules`"),
    (b"rules: [!!python/object/apply:os.system [echo]]", "cannot be read as YAML"),
])
def test_a_file_that_is_no_rule_file_is_an_error(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "rule.yml").write_bytes(content)
    with pytest.raises(PolicyInvalid) as caught:
        read_rule_file(tmp_path / "rule.yml")
    assert said in str(caught.value)


def test_a_rule_defined_twice_is_an_error_that_names_both_files(tmp_path: Path) -> None:
    written(tmp_path, GOOD, name="a.yml")
    written(tmp_path, GOOD, name="b.yml")
    with pytest.raises(PolicyInvalid, match=r"b\.yml: rule no-spam is defined twice, also in .*a\.yml"):
        load_rules([tmp_path])


def test_one_file_named_twice_is_read_once(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD)
    assert [rule.id for rule in load_rules([tmp_path, path, tmp_path / "." / "rule.yml"])] == ["no-spam"]


def test_rules_come_sorted_whatever_the_files_are_called(tmp_path: Path) -> None:
    written(tmp_path, with_(id="no-b"), name="a.yml")
    (tmp_path / "deep").mkdir()
    written(tmp_path / "deep", with_(id="no-a"), with_(id="no-c"), name="z.yaml")
    assert [rule.id for rule in load_rules([tmp_path])] == ["no-a", "no-b", "no-c"]


def test_no_rules_at_all_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PolicyInvalid, match="no rules at all"):
        load_rules([])
    with pytest.raises(PolicyInvalid, match=r"no rules in this folder"):
        find_rule_files(tmp_path)


@pytest.mark.parametrize("name", ["p/python", "r/python.lang.security", "auto", "https://semgrep.dev/c/p/python"])
def test_rules_of_a_registry_are_refused(name: str) -> None:
    with pytest.raises(PolicyInvalid, match="registry"):
        find_rule_files(Path(name))
