"""The rules' own tests find what is wrong with rules: each problem is made once and must be reported."""

from pathlib import Path

import pytest
from fumehood.policies.errors import PolicyInvalid
from fumehood.policies.profile import Policy, load_policy
from fumehood.policies.selftest import SelftestReport, read_marks, run_selftest

PROFILE = """
name = "own"
imports = ["json"]
rules = ["rules"]
[limits_ceiling]
wall_s = 10
cpu_s = 10
memory_mb = 256
processes = 16
workspace_mb = 64
output_kb = 1024
files = 100
[kinds]
scalar = "allow"
table = "allow"
file_conversion = "allow"
chart = "allow"
simulation = "allow"
fitting = "allow"
[cost]
low = "allow"
medium = "allow"
high = "allow"
"""
SAMPLE = """import json
# ruleid: no-spam
spam(1)
# ok: no-spam
ham(1)
"""


class Rules:
    """Writes rules and samples into one folder and runs their tests."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "rules"
        self.folder.mkdir()
        (folder / "own.toml").write_text(PROFILE)

    def rule(self, name: str, pattern: str, sample: str | None = None, severity: str = "ERROR") -> "Rules":
        (self.folder / f"{name}.yml").write_text(f"rules:\n  - id: {name}\n    languages: [python]\n    severity: {severity}"
                                                 f"\n    message: not this\n    pattern: {pattern}\n")
        if sample is not None:
            (self.folder / f"{name}.py").write_text(sample)
        return self

    def policy(self) -> Policy:
        return load_policy(str(self.folder.parent / "own.toml"))

    def run(self) -> SelftestReport:
        return run_selftest(self.policy())


@pytest.fixture
def rules(tmp_path: Path) -> Rules:
    return Rules(tmp_path)


def said(report: SelftestReport) -> list[tuple[str, int, str]]:
    return [(problem.rule, problem.line, problem.message) for problem in report.problems]


def test_a_rule_that_does_what_its_sample_says_passes(rules: Rules) -> None:
    report = rules.rule("no-spam", "spam(...)", SAMPLE).run()
    assert report.passed
    assert (report.policy, report.rules, report.samples, report.must_match, report.must_not_match) == ("own", 1, 1, 1,
                                                                                                       1)


def test_a_rule_without_a_sample_is_reported(rules: Rules) -> None:
    report = rules.rule("no-spam", "spam(...)", SAMPLE).rule("no-eggs", "eggs(...)").run()
    assert not report.passed
    [problem] = report.problems
    assert (problem.rule, problem.file) == ("no-eggs", str(rules.folder / "no-eggs.yml"))
    assert "write no-eggs.py" in problem.message


def test_a_line_that_is_not_found_is_reported(rules: Rules) -> None:
    report = rules.rule("no-spam", "spam(2)", SAMPLE + "# ruleid: no-spam\nspam(2)\n").run()
    assert said(report) == [("no-spam", 3, "the rule does not report this line")]


def test_a_line_that_must_not_match_and_does_is_reported(rules: Rules) -> None:
    report = rules.rule("no-spam", "$X(1)", SAMPLE + "eggs(1)\n").run()
    assert said(report) == [("no-spam", 5, "the rule reports this line, which is marked ok"),
                            ("no-spam", 6, "the rule reports this line, which is not marked as ruleid")]


@pytest.mark.parametrize(("sample", "kind"), [("# ok: no-spam\nham(1)\n", "ruleid"), ("# ruleid: no-spam\nspam(1)\n",
                                                                                      "ok")])
def test_a_sample_needs_both_sides(rules: Rules, sample: str, kind: str) -> None:
    assert said(rules.rule("no-spam", "spam(...)", sample).run()) == [
        ("no-spam", 0, f"the sample has no line marked `# {kind}: no-spam`")]


def test_a_rule_that_nobody_would_miss_is_reported(rules: Rules) -> None:
    rules.rule("no-spam", "spam(...)", SAMPLE)
    rules.rule("no-spam-one", "spam(1)", "# ruleid: no-spam-one\nspam(1)\n# ok: no-spam-one\nspam(2)\n")
    report = rules.run()
    assert [problem.rule for problem in report.problems if "deleting the rule" in problem.message] == ["no-spam",
                                                                                                         "no-spam-one"]
    (rules.folder / "no-spam.py").write_text(SAMPLE + "# ruleid: no-spam\nspam(3)\n")
    report = rules.run()
    assert [problem.rule for problem in report.problems] == ["no-spam-one"]


def test_a_stricter_rule_is_not_made_needless_by_a_weaker_one(rules: Rules) -> None:
    rules.rule("see-spam", "$F(...)", "# ruleid: see-spam\nham(1)\n# ok: see-spam\nx = 1\n", severity="INFO")
    rules.rule("no-spam", "spam(...)", "# ruleid: no-spam\nspam(1)\n# ok: no-spam\nx = 1\n")
    assert rules.run().passed


def test_rules_whose_samples_could_be_swapped_are_reported(rules: Rules) -> None:
    for name in ("no-a", "no-b"):
        rules.rule(name, "spam(...)", f"# ruleid: {name}\nspam(1)\n# ok: {name}\nham(1)\n")
    assert any("no-a and no-b could be swapped" in problem.message for problem in rules.run().problems)


def test_a_sample_that_semgrep_cannot_read_whole_is_reported_and_the_rest_is_tested(rules: Rules) -> None:
    rules.rule("no-spam", "spam(...)", SAMPLE)
    rules.rule("no-eggs", "eggs(...)",
               "match {}:\n    case {'k': v, **rest}:\n        # ruleid: no-eggs\n        eggs(1)\n"
                                       "# ok: no-eggs\nham(1)\n")
    report = rules.run()
    [problem] = report.problems
    assert problem.rule == "no-eggs"
    assert "cannot scan the sample whole" in problem.message
    assert report.must_match == 1


def test_a_sample_of_other_bytes_is_an_error(rules: Rules) -> None:
    rules.rule("no-spam", "spam(...)", SAMPLE)
    (rules.folder / "no-spam.py").write_bytes(b"# ruleid: no-spam\nspam('\xff')\n")
    with pytest.raises(PolicyInvalid, match=r"no-spam\.py: the sample cannot be read"):
        rules.run()


def test_samples_may_lie_in_a_folder_beside_the_rules_or_share_the_name_of_the_rule_file(rules: Rules) -> None:
    rules.rule("no-spam", "spam(...)")
    (rules.folder / "samples").mkdir()
    (rules.folder / "samples" / "no-spam.py").write_text(SAMPLE)
    assert rules.run().passed
    (rules.folder / "no-spam.yml").rename(rules.folder / "team.yml")
    (rules.folder / "samples" / "no-spam.py").rename(rules.folder / "team.py")
    assert rules.run().passed


def test_operators_rules_are_tested_beside_the_shipped_ones(rules: Rules) -> None:
    rules.rule("no-spam", "spam(2)", SAMPLE)
    report = run_selftest(load_policy("pure-computation", extra_rules=[rules.folder]))
    assert report.rules == report.samples >= 61
    assert {problem.rule for problem in report.problems} == {"no-spam"}


def test_marks_speak_of_the_next_line_of_code() -> None:
    must, must_not = read_marks("# ruleid: a, b\n\n# a remark\nx()\n    # ok: a\n    # ruleid: c\n    y()\nz()\n")
    assert {name: sorted(lines) for name, lines in must.items()} == {"a": [4], "b": [4], "c": [7]}
    assert {name: sorted(lines) for name, lines in must_not.items()} == {"a": [7]}
