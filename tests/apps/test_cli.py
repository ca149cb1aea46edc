"""The command line as others hold on to it: one JSON document, nothing else on stdout, and the exit codes."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

CONTRACT = {"run_id", "status", "stop_reason", "message", "result", "shape_from", "explanation", "plan", "artifacts",
            "checks", "attempts", "evidence", "engines_skipped", "usage", "receipt"}


class Cli:
    def __init__(self, home: Path, cwd: Path) -> None:
        self._home, self._cwd = home, cwd

    def __call__(self, *words: str, stdin: str = "", **more: str) -> "subprocess.CompletedProcess[str]":
        environment = {"PATH": os.environ["PATH"], "HOME": str(self._cwd), "FUMEHOOD_HOME": str(self._home),
                       "FUMEHOOD_ENGINES": '["bubblewrap"]', **more}
        return subprocess.run([sys.executable, "-m", "fumehood.apps.cli", *words], cwd=self._cwd, text=True,
                              capture_output=True, input=stdin, env=environment)

    def json(self, *words: str, code: int, **more: Any) -> Any:
        done = self(*words, "--json", **more)
        assert done.returncode == code, (done.stdout, done.stderr)
        return json.loads(done.stdout)


@pytest.fixture
def cli(home: Path, tmp_path: Path) -> Cli:
    return Cli(home, tmp_path)


def test_exec_answers_with_the_whole_contract(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("x\n1\n2\n")
    (tmp_path / "p.py").write_text("import csv\nrows = list(csv.DictReader(open('data.csv')))\n"
                                   "open('output/n.txt', 'w').write(str(len(rows)))\n"
                                   "final_answer(sum(int(row['x']) for row in rows))\n")
    (tmp_path / "schema.json").write_text('{"type": "integer"}')
    outcome = cli.json("exec", "p.py", "--input", "data.csv", "--schema", "schema.json", "--expect", "n.txt",
                       "--output", "out", code=0)
    assert set(outcome) >= CONTRACT
    assert (outcome["status"], outcome["result"], outcome["shape_from"]) == ("answered", 3, "caller")
    assert [item["path"] for item in outcome["artifacts"]] == ["output/n.txt"]
    assert (tmp_path / "out" / "n.txt").read_text() == "2"
    assert outcome["evidence"]["inputs"][0]["read"] is True
    attempt = outcome["attempts"][0]
    assert attempt["execution"]["outcome"] == "completed"
    assert attempt["verdict"] == "allow"


def test_exec_reads_standard_input(cli: Cli) -> None:
    assert cli.json("exec", "-", stdin="print(7)", code=0)["result"] == 7


@pytest.mark.parametrize(("program", "reason"), [
    ("import os\nos.system('id')", "policy_denied"),
    ("print(1/0)", "runtime_error"),
    ("def f(:", "syntax_error"),
    ("import time\nfor _ in range(20):\n    time.sleep(1)", "timeout"),
])
def test_exec_stops_with_its_reason(cli: Cli, tmp_path: Path, program: str, reason: str) -> None:
    (tmp_path / "p.py").write_text(program)
    outcome = cli.json("exec", "p.py", "--timeout", "1.5", "--cpu", "60", code=1)
    assert (outcome["status"], outcome["stop_reason"]) == ("stopped", reason)


@pytest.mark.parametrize(("words", "said"), [
    (("exec", "absent.py"), "absent.py"),
    (("exec", "p.py", "--input", "absent.csv"), "does not exist"),
    (("exec", "p.py", "--memory", "999999"), "ceiling"),
    (("exec", "p.py", "--engine", "nonsense"), "no such engine: 'nonsense'"),
    (("exec", "p.py", "--schema", "p.py"), "--schema"),
    (("show", "nothing"), "no such run"),
    (("resume", "nothing"), "no such run"),
])
def test_wrong_use_says_what_to_do(cli: Cli, tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    (tmp_path / "p.py").write_text("print(1)")
    assert said in cli.json(*words, code=2)["error"]


def test_absent_policy_is_wrong_use_and_a_broken_one_the_machinery(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text("print(1)")
    assert "absent.toml" in cli.json("exec", "p.py", "--policy", str(tmp_path / "absent.toml"), code=2)["error"]
    (tmp_path / "broken.toml").write_text('extends = "data-analysis"\nname = "mine"\nunheard_of = 1\n')
    outcome = cli.json("exec", "p.py", "--policy", str(tmp_path / "broken.toml"), code=4)
    assert outcome["stop_reason"] == "policy_unavailable"
    assert "unheard_of" in outcome["message"]


def test_denied_edit_decides_nothing(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text("print(5)")
    (tmp_path / "bad.py").write_text("import os\nos.system('id')")
    (tmp_path / "good.py").write_text("print(6)")
    waiting = cli.json("exec", "p.py", "--approval", "always", code=3)
    assert "print(5)" in waiting["question"]["action_requests"][0]["args"]["program"]
    assert "still waits" in cli.json("approve", waiting["run_id"], "--edit", "bad.py", code=2)["error"]
    assert cli.json("approve", waiting["run_id"], "--edit", "good.py", code=0)["result"] == 6


def test_check_is_a_list_and_the_worst_wins(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text("print(1)")
    (tmp_path / "bad.py").write_text("import os\nos.system('id')")
    verdicts = cli.json("check", "good.py", "bad.py", code=1)
    assert [item["verdict"] for item in verdicts] == ["allow", "deny"]
    assert set(verdicts[1]["findings"][0]) >= {"rule", "severity", "line", "message", "fix"}
    assert cli.json("check", "good.py", code=0)[0]["findings"] == []


def test_approval_waits_in_the_store_and_goes_on_in_another_process(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text("print(5)")
    waiting = cli.json("exec", "p.py", "--approval", "always", code=3)
    assert waiting["status"] == "waiting"
    listed = cli.json("runs", "--waiting", code=0)
    assert [item["run_id"] for item in listed] == [waiting["run_id"]]
    assert listed[0]["program"] == "print(5)"
    assert cli.json("approve", waiting["run_id"], code=0)["result"] == 5
    assert "finished" in cli.json("approve", waiting["run_id"], code=2)["error"]
    assert cli.json("runs", "--waiting", code=0) == []
    assert cli.json("audit", "verify", code=0)["holds"] is True


def test_reject_stops(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text("print(5)")
    waiting = cli.json("exec", "p.py", "--approval", "always", code=3)
    outcome = cli.json("reject", waiting["run_id"], "not today", code=1)
    assert outcome["stop_reason"] == "approval_rejected"
    assert "not today" in outcome["message"]


def test_no_model_names_the_ways_out(cli: Cli) -> None:
    outcome = cli.json("run", "add 1 and 1", code=4, OLLAMA_HOST="127.0.0.1:9")
    assert outcome["stop_reason"] == "model_unavailable"
    for way in ("OPENAI_API_KEY", "ollama", "paste"):
        assert way in outcome["message"]


def test_demo_answers_offline(cli: Cli) -> None:
    outcome = cli.json("demo", code=0)
    assert round(outcome["result"]["mean_conversion_percent"], 2) == 3.84
    assert len(outcome["result"]["days"]) == 7
    assert any("recording" in note for note in outcome["notes"])


def test_help_is_fast_to_import() -> None:
    """No heavy library is loaded for `--help` and `check`."""
    code = ("import sys, fumehood.apps.cli, fumehood.apps.check; "
            "print([name for name in ('langgraph', 'langchain_openai', 'docker', 'openai') if name in sys.modules])")
    assert subprocess.run([sys.executable, "-c", code], text=True, capture_output=True, check=True).stdout == "[]\n"


def test_policy_show_is_for_people_and_whole_in_json(cli: Cli) -> None:
    shown = cli("policy", "show")
    assert shown.returncode == 0
    assert "{" not in shown.stdout.partition("\nrules (")[0], "no JSON is dumped"
    assert "os: path.join" in shown.stdout
    assert "asked above" in shown.stdout
    whole = cli.json("policy", "show", code=0)
    assert all(f"  {rule['id']} " in shown.stdout for rule in whole["rules"])
    assert max(map(len, shown.stdout.splitlines())) <= 100


def test_runs_fit_on_a_narrow_screen(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text("import os\nos.system('id')")
    run_id = cli.json("exec", "p.py", code=1)["run_id"]
    line, = (line for line in cli("runs", COLUMNS="70").stdout.splitlines() if run_id in line)
    assert re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d ", line)


def test_version(cli: Cli) -> None:
    assert cli("--version").stdout.startswith("fumehood ")
