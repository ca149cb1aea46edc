import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from fumehood.policies.errors import NotApproved
from fumehood.policies.gate import Gate, gate_python
from fumehood.policies.profile import Policy
from fumehood.policies.verdict import Needs, approve_program, sha256_text


@pytest.fixture
def small(small_policy: Callable[..., Policy]) -> Gate:
    """A gate with the two rules that people write first."""
    return Gate(small_policy())


def rules(verdict: object) -> set[str]:
    return {finding.rule for finding in verdict.findings}  # type: ignore[attr-defined]


def test_a_clean_program_is_allowed_and_bound_to_its_bytes(gate: Gate) -> None:
    program = "print(sum([1, 2]))\n"
    verdict = gate.judge(program, inputs_sha256="f" * 64)
    assert (verdict.decision, verdict.findings, verdict.inputs_sha256) == ("allow", [], "f" * 64)
    assert verdict.program_sha256 == sha256_text(program)
    assert verdict.policy_sha256 == gate.policy_sha256
    assert set(verdict.scanned) == {"main.py", "canonical.py"}
    assert approve_program(program, verdict).program == program
    with pytest.raises(NotApproved):
        approve_program(program + " ", verdict)


@pytest.mark.parametrize(("program", "line"), [
    ('import os\nos.system("id")  # nosemgrep\n', 2), ('import os\n# nosem\nos.system("id")\n', 3),
    ('import os\nos.system("id")  # nosemgrep: no-shell\n', 2),
    ('import os\n# see the nosemester plan\nos.system("id")\n', 3),
])
def test_a_comment_switches_nothing_off(small: Gate, program: str, line: int) -> None:
    verdict = small.judge(program)
    assert verdict.decision == "deny"
    assert ("no-shell", line) in {(finding.rule, finding.line) for finding in verdict.findings}


def test_ignore_files_around_it_change_nothing(small: Gate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (".semgrepignore", ".gitignore"):
        (tmp_path / name).write_text("*\n*.py\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SEMGREP_RULES", "p/none")
    assert small.judge('import os\nos.system("id")\n').decision == "deny"
    assert small.judge('print("fine")\n').decision == "allow"
    assert (tmp_path / ".semgrepignore").read_text() == "*\n*.py\n"


def test_words_in_strings_comments_and_names_are_not_code(small: Gate) -> None:
    for program in ('doc = "never call os.system(\\"id\\") or eval(x)"\n# os.system("id")\nprint(len(doc))\n',
                    "def evaluate(x):\n    return x + 1\nmodel_eval = evaluate(1)\nprint(model_eval)\n"):
        assert small.judge(program).decision == "allow"


def test_a_denial_names_rule_line_code_and_way_out(small: Gate) -> None:
    verdict = small.judge("rows = ['1']\nprint([eval(row) for row in rows])\n")
    for finding in verdict.findings:
        assert finding.line == 2
        assert "eval(row)" in finding.source
    assert {"no-eval", "denied-name"} <= rules(verdict)
    assert any("literal_eval" in finding.fix + finding.message for finding in verdict.findings)


def test_a_refused_import_names_the_profile_its_line_and_the_package(gate: Gate) -> None:
    finding = next(one for one in gate.judge("import sklearn\n").findings if one.rule == "import-not-allowed")
    assert "scikit-learn" in finding.message
    assert "data-analysis.toml:" in finding.message
    assert "[add] imports" in finding.fix
    assert "sandbox build --requirements" in finding.fix
    own = next(one for one in gate.judge("import socket\n").findings if one.rule == "import-not-allowed")
    assert "input" in own.fix


def test_severity_decides(small_policy: Callable[..., Policy]) -> None:
    rule = "rules: [{{id: look, languages: [python], severity: {}, message: look at this, pattern: print(...)}}]"
    decisions = {severity: Gate(small_policy(rule.format(severity))).judge("print(1)\n") for severity in
                 ("ERROR", "WARNING", "INFO")}
    assert {severity: verdict.decision for severity, verdict in decisions.items()} == {
        "ERROR": "deny", "WARNING": "review", "INFO": "allow"}
    assert [finding.severity for finding in decisions["INFO"].findings] == ["INFO"]


def test_text_that_is_not_python_is_the_models_fault_and_denied(gate: Gate) -> None:
    verdict = gate.judge("!pip install x\n")
    assert (verdict.decision, verdict.syntax_error, verdict.plan_violation) == ("deny", True, False)
    assert not gate.judge("x = 1 # \x00\n").syntax_error


def test_a_persons_file_is_judged_without_its_mark_and_line_ends(gate: Gate) -> None:
    verdict = gate.judge(b"\xef\xbb\xbfprint(1)\r\nprint(2)\r\n")
    assert verdict.decision == "allow"
    assert verdict.program_sha256 == sha256_text("print(1)\nprint(2)\n")
    assert gate.judge(b"# x\rimport os\n").decision == "deny"
    assert gate.judge(b"\xff\xfe").decision == "deny"


def test_earlier_steps_are_in_scope_for_both_engines(small: Gate) -> None:
    earlier = ["import os\nrun = os.getcwd\n", "import statistics\nbox = statistics\n"]
    assert small.judge("box.sys.exit()\n", earlier=earlier).decision == "deny"
    assert small.judge("box.mean([1])\n", earlier=earlier).decision == "allow"
    semgrep = small.judge("os.system('id')\n", earlier=["import os\n"])
    assert ("no-shell", 1) in {(finding.rule, finding.line) for finding in semgrep.findings}


def test_findings_of_earlier_steps_are_not_held_against_a_later_one(small: Gate) -> None:
    assert small.judge("print(1)\n",
                       earlier=["import os\nos.system('id')\neval('1')\nopen('/etc/passwd')\n"]).decision == "allow"


def test_a_path_defined_earlier_is_found_where_it_is_opened(gate: Gate) -> None:
    verdict = gate.judge("x = 1\nprint(open(where).read())\n", earlier=["where = '/etc/passwd'\n"])
    assert ("path-outside", 2) in {(finding.rule, finding.line) for finding in verdict.findings}
    assert gate.judge("where = '/srv/pages/a.html'\nprint(where)\n").decision == "allow"


def test_beyond_the_plan_is_a_violation_of_its_own_kind(gate: Gate) -> None:
    needs = Needs(imports=["json"], inputs=["sales.csv"], outputs=["a.csv"], tools=[])
    program = "import pandas as pd\npd.read_csv('other.csv').to_csv('output/x.csv')\n"
    verdict = gate.judge(program, needs=needs)
    assert (verdict.decision, verdict.plan_violation) == ("deny", True)
    assert rules(verdict) >= {"plan-import", "plan-input", "plan-output"}
    within = "import json\nimport math\nrows = open('sales.csv').read()\nopen('output/a.csv', 'w').write(rows)\n"
    assert gate.judge(within, needs=needs).decision == "allow"
    assert gate.judge(program).decision == "allow"
    both = gate.judge("import socket\n", needs=needs)
    assert (both.decision, both.plan_violation) == ("deny", False)


def test_files_of_earlier_steps_may_be_read(gate: Gate) -> None:
    needs = Needs(inputs=["a.csv"])
    assert gate.judge("open('step1.csv')\n", needs=needs).plan_violation
    assert gate.judge("open('step1.csv')\n", needs=needs, known_outputs=["step1.csv"]).decision == "allow"


def test_tools_are_those_of_the_policy_and_the_plan(gate: Gate) -> None:
    assert "tool-not-allowed" in rules(gate.judge("tools.fetch('x')\n"))
    own = Gate(gate.policy.model_copy(update={"tools": ["fetch"], "sha256": "1" * 64}))
    assert own.judge("print(tools.fetch('x'))\n").decision == "allow"
    assert "plan-tool" in rules(own.judge("print(tools.fetch('x'))\n", needs=Needs(tools=[])))


def test_kinds_cost_and_calls_can_ask_for_a_person(gate: Gate) -> None:
    policy = gate.policy.model_copy(update={"kinds": {**gate.policy.kinds, "simulation": "review"}, "sha256": "2" * 64})
    verdict = Gate(policy).judge("import random\nprint(random.random())\n")
    assert verdict.decision == "review"
    assert gate.judge("import math\nwhile True:\n    for i in range(10**9):\n        pass\n").decision == "review"
    assert gate.judge("from pathlib import Path\nPath('a').chmod(0o755)\n").decision != "allow"


def test_what_semgrep_cannot_read_is_denied_or_reviewed_and_never_allowed(gate: Gate,
                                                                          monkeypatch: pytest.MonkeyPatch) -> None:
    from fumehood.policies.semgrep import NotScannable, Scanner

    def refuse(*_: object, **__: object) -> None:
        raise NotScannable("held up")

    monkeypatch.setattr(Scanner, "interpret", refuse)
    verdict = gate.judge("print('unscannable 1')\n")
    assert (verdict.decision, rules(verdict)) == ("deny", {"not-scanned"})
    lenient = Gate(gate.policy.model_copy(update={"unscannable": "review"}), home=gate._home)
    assert lenient.judge("print('unscannable 2')\n").decision == "review"
    assert lenient.judge("eval('1')\n").decision == "deny"


def test_a_repeated_program_is_answered_from_memory(gate: Gate) -> None:
    program = "print('again')\n"
    first = gate.judge(program)
    assert gate.judge(program) is first
    assert gate.judge(program, inputs_sha256="a" * 64) is not first
    assert gate.judge(program, needs=Needs(imports=[])) is not first
    assert gate.judge(program, earlier=["x = 1\n"]) is not first


def test_several_threads_get_their_own_verdicts(gate: Gate) -> None:
    found: dict[int, str] = {}

    def work(number: int) -> None:
        bad = number % 2
        found[number] = gate.judge(f"x = {number}\n" + ("eval('1')\n" if bad else "")).decision

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: "deny" if number % 2 else "allow" for number in range(6)}


@pytest.mark.parametrize("program", [
    "a;" * 49_000, "[" + "1," * 49_000 + "]", "f(" + "a=1," * 20_000 + ")", "x = 1\n" * 16_000,
    "def f():pass\n" * 7_000,
    "\n".join(f"x{i} = x{i + 1}" for i in range(6_000)) + "\nx6000 = '/etc/passwd'\nopen(x0)\n",
    "a" + ".b" * 400 + "\n" + ("a" + ".b" * 150 + "\n") * 300,
    "s = 'a' * 9\n" + "t = " + " + ".join(["s"] * 700) + "\n",
    "x = " + " + ".join(["'" + "a" * 100 + "'"] * 800) + "\n",
    "match x:\n" + "    case [1, {'a': b}]:\n        pass\n" * 1_500,
])
def test_the_largest_programs_are_judged_in_bounded_time(gate: Gate, program: str) -> None:
    started = time.process_time()
    verdict = gate.judge(program)
    assert verdict.decision in ("allow", "review", "deny")
    # Ten times what the slowest of them needs; a quadratic step takes minutes.
    assert time.process_time() - started < 30


def test_the_gate_says_which_python_it_reads(gate: Gate) -> None:
    assert gate_python() == (sys.version_info.major, sys.version_info.minor)


_TABLE = "import pandas as pd\ndf = pd.DataFrame({'a': [1]})\nlow, read = 1, pd.read_csv\n"


def test_a_query_may_compare_with_a_plain_variable(gate: Gate) -> None:
    verdict = gate.judge(_TABLE + "print(df.query(\"a >= @low and a < 5\"))\n")
    assert verdict.decision == "allow", verdict.findings


@pytest.mark.parametrize("text", [
    "@pd.io.common.os.system('x')", "a == @pd", "(@pd).io.common.os", "a == @read", "@low.real > 0", "@low (1)", "@ low > 0",
    "@__loader__ == a", "@eval == a", "(@low).__class__ == a", "(@low).os == a",
    "'`' == (@low).os.system('x') or '`' == a",  # backticks inside of strings, which only look like a column's name
])
def test_a_query_reaches_nothing_else_through_a_variable(gate: Gate, text: str) -> None:
    verdict = gate.judge(f"{_TABLE}print(df.query({text!r}))\n")
    assert verdict.decision == "deny"
    assert any(one.rule not in gate.policy.rules_by_id and one.severity == "ERROR" for one in verdict.findings), "the walk"


@pytest.mark.parametrize(("first", "second"), [
    ("T = {'a': '{0}'}\ndef show(x):\n    return T['a'].format(x)\n", "T['a'] = chr(123) + '0.mean}'\nprint(show(1))\n"),
    ("name = 'upper'\ndef read(x):\n    return getattr(x, name)\n", "name = chr(95) + 'x'\nprint(read('a'))\n"),
    ("name = 'upper'\nread = lambda x: getattr(x, name)\n", "name = open('names.txt').read()\n"),
    ("name = 'upper'\nreaders = {'a': [lambda x: getattr(x, name)]}\n", "name = chr(95) + 'x'\n"),
    ("name = 'upper'\nif True:\n    def read(x):\n        return getattr(x, name)\n", "name = chr(95) + 'x'\n"),
    ("name = 'upper'\ntry:\n    class A:\n        def read(self, x):\n            return getattr(x, name)\nfinally: pass\n",
     "name = chr(95) + 'x'\n"),
    ("name = 'upper'\nrows = (getattr(x, name) for x in ['a'])\n", "name = chr(95) + 'x'\nprint(list(rows))\n"),
    ("template = '{0}'\nshow = lambda x: template.format(x)\n", "template = open('t.txt').read()\nprint(show(1))\n"),
])
def test_a_step_cannot_turn_an_earlier_function_into_something_else(gate: Gate, first: str, second: str) -> None:
    assert gate.judge(first).decision == "allow"
    assert gate.judge(second, earlier=[first]).decision == "deny"
    assert gate.judge("print(1)\n", earlier=[first]).decision == "allow"
