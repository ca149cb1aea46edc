import pytest
from fumehood.policies.explain import explain, printable, risk_summary, worth_saying
from fumehood.policies.gate import Gate
from fumehood.policies.verdict import Facts, Finding, Verdict


def verdict(digest: str = "a", findings: list[Finding] | None = None, **facts: object) -> Verdict:
    return Verdict(decision="review", program_sha256=digest * 64, policy_sha256="0" * 64, findings=findings or [],
                   facts=Facts.model_validate(facts))


def test_a_finding_is_shown_with_its_line_and_a_caret_under_the_place(gate: Gate) -> None:
    program = "rows = [1]\ntotal = sum(map(eval, rows))\n"
    shown = explain(program, gate.judge(program).findings).splitlines()
    place = next(index for index, line in enumerate(shown) if line.strip() == "^")
    assert shown[place - 1] == "    total = sum(map(eval, rows))"
    assert shown[place].index("^") == shown[place - 1].index("eval")
    assert any(line.startswith("line 2: denied by ") for line in shown)
    assert any("instead: " in line for line in shown)
    assert "emgrep" not in "\n".join(shown)


def test_control_characters_of_a_program_do_not_reach_the_terminal() -> None:
    program = "x = '\x1b[2J\x07'\n"
    finding = Finding(rule="r", severity="ERROR", line=1, column=6, message="m")
    shown = explain(program, [finding])
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert len(printable("x" * 500)) == 200


def test_the_first_program_shows_all_that_it_can_do() -> None:
    shown = risk_summary(verdict(imports=["pandas"], reads=["a.csv"], writes=["b.csv"], hosts=["example.org"],
                                 cost="medium",
                                 lines=12), None)
    for part in ("imports: pandas", "reads: a.csv", "writes: b.csv", "network names: example.org", "medium",
                 "12 lines"):
        assert part in shown
    assert "newly" not in shown


def test_a_later_program_shows_what_it_can_newly_do() -> None:
    last = verdict(imports=["json", "pandas"], reads=["a.csv"])
    asks = Finding(rule="review-call", severity="WARNING", line=3, message="The program calls chmod.")
    shown = risk_summary(verdict("b", [asks], imports=["json", "sqlite3"], reads=["a.csv"], writes=["x.db"]), last)
    assert "newly imports: sqlite3" in shown
    assert "newly writes: x.db" in shown
    assert "a.csv" not in shown
    assert "calls chmod. (line 3)" in shown
    assert risk_summary(verdict("b", imports=["json"]), last) == "nothing that the last approved program could not do"
    assert risk_summary(last, last) == "the same program as the last approved one"


@pytest.mark.parametrize(("program", "rules"), [
    ("import polars\nprint(polars.read_csv('x.csv'))\n", ["import-not-allowed"]),
    ("import subprocess\nsubprocess.run(['x'])\n", ["import-not-allowed"]),
    ("import pandas as pd\ntable = pd.DataFrame()\nprint(table.sys)\n", ["denied-attribute"]),
    ("import timeit\nprint(timeit.timeit(print))\n", ["denied-module-part"]),
    ("row = 1\nname = input\nprint(getattr(row, str(row)))\nprint(eval('1'))\n", ["computed-getattr", "denied-name"]),
])
def test_one_cause_is_told_once(gate: Gate, program: str, rules: list[str]) -> None:
    verdict = gate.judge(program)
    assert verdict.decision == "deny"
    told = [finding for finding in worth_saying(program, verdict.findings) if finding.severity == "ERROR"]
    assert [finding.rule for finding in told if finding.rule != "no-stdin"] == rules
    lines = {finding.line for finding in verdict.findings if finding.severity == "ERROR"}
    assert {finding.line for finding in told} == lines, "no denied line goes without a word"


def test_a_second_cause_on_the_line_of_a_refused_import_is_kept(gate: Gate) -> None:
    program = "import subprocess; print(eval('1'))\n"
    told = worth_saying(program, gate.judge(program).findings)
    assert {"import-not-allowed", "denied-name"} <= {finding.rule for finding in told}
