"""The command line as others hold on to it: one JSON document, nothing else on stdout, and the exit codes."""

import io
import json
import os
import re
import subprocess
import sys
import tarfile
import time
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from fumehood.apps.cli import app
from fumehood.graph.drive import Driver
from fumehood.graph.settings import Settings
from fumehood.graph.store import RunStore
from fumehood.graph.task import Task
from typer.testing import CliRunner

CONTRACT = {"run_id", "status", "stop_reason", "message", "result", "shape_from", "explanation", "plan", "artifacts",
            "checks", "attempts", "evidence", "engines_skipped", "usage", "receipt"}


class Cli:
    """The command line in one home: in this process, or where that is the point in one of its own."""

    def __init__(self, home: Path, cwd: Path) -> None:
        self._cwd, self.home = cwd, str(home)
        self._set = {"HOME": str(cwd), "FUMEHOOD_HOME": str(home), "FUMEHOOD_ENGINES": '["bubblewrap"]'}

    def process(self, *words: str, stdin: str = "", **more: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([sys.executable, "-m", "fumehood.apps.cli", *words], cwd=self._cwd, text=True,
                              capture_output=True, input=stdin, env={"PATH": os.environ["PATH"], **self._set, **more})

    def __call__(self, *words: str, **more: str) -> "subprocess.CompletedProcess[str]":
        ours = ("FUMEHOOD_", "OPENAI_", "OLLAMA_")
        away: dict[str, str | None] = {name: None for name in os.environ if name.startswith(ours)}
        done = CliRunner().invoke(app, words, env={**away, **self._set, **more})
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return subprocess.CompletedProcess(words, done.exit_code, done.stdout, done.stderr)

    def json(self, *words: str, code: int, **more: Any) -> Any:
        return self._document((self.process if "stdin" in more else self)(*words, "--json", **more), code)

    def json_of_process(self, *words: str, code: int) -> Any:
        return self._document(self.process(*words, "--json"), code)

    @staticmethod
    def _document(done: "subprocess.CompletedProcess[str]", code: int) -> Any:
        assert done.returncode == code, (done.stdout, done.stderr)
        return json.loads(done.stdout)


@pytest.fixture
def cli(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    monkeypatch.chdir(tmp_path)
    return Cli(home, tmp_path)


def test_exec_answers_with_the_whole_contract(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("x\n1\n2\n")
    (tmp_path / "p.py").write_text("import csv\nrows = list(csv.DictReader(open('data.csv')))\n"
                                   "open('output/n.txt', 'w').write(str(len(rows)))\n"
                                   "final_answer(sum(int(row['x']) for row in rows))\n")
    (tmp_path / "schema.json").write_text('{"type": "integer"}')
    outcome = cli.json_of_process("exec", "p.py", "--input", "data.csv", "--schema", "schema.json", "--expect", "n.txt",
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
    waiting = cli.json_of_process("exec", "p.py", "--approval", "always", code=3)
    assert waiting["status"] == "waiting"
    listed = cli.json("runs", "--waiting", code=0)
    assert [item["run_id"] for item in listed] == [waiting["run_id"]]
    assert listed[0]["program"] == "print(5)"
    assert cli.json_of_process("approve", waiting["run_id"], code=0)["result"] == 5
    assert "already decided: approve by" in cli.json("approve", waiting["run_id"], code=2)["error"]
    assert cli.json("runs", "--waiting", code=0) == []
    assert cli.json("audit", "verify", code=0)["holds"] is True


def test_only_what_was_shown_is_decided(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text("open('output/made.txt', 'w').write('5')\nprint(5)")
    waiting = cli.json("exec", "p.py", "--approval", "always", "--expect", "made.txt", code=3)
    digest = waiting["question"]["binding"]
    assert digest in cli("show", waiting["run_id"]).stdout
    for words in (("approve",), ("reject", "no"), ("respond", "no")):
        said = cli.json(words[0], waiting["run_id"], *words[1:], "--shown", "0123", code=2)["error"]
        assert digest[:16] in said
    outcome = cli.json("approve", waiting["run_id"], "--shown", digest[:12], "--output", "late", code=0)
    assert (outcome["result"], outcome["output"]) == (5, "late")
    assert (tmp_path / "late" / "made.txt").read_text() == "5"


def test_the_workspace_is_kept_whole(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("x\n1\n")
    (tmp_path / "p.py").write_text("import pathlib\npathlib.Path('deep').mkdir()\n"
                                   "pathlib.Path('deep/a.txt').write_text('a' * 10)\nfinal_answer(1)\n")
    cli.json("exec", "p.py", "--input", "data.csv", "--keep-workspace", "all.tar", code=0)
    with tarfile.open(tmp_path / "all.tar") as archive:
        members = {item.name: (archive.extractfile(item) or io.BytesIO()).read() for item in archive}
        assert all(item.isreg() and (item.mtime, item.uid, item.mode) == (0, 0, 0o644) for item in archive)
    assert members == {"data.csv": b"x\n1\n", "deep/a.txt": b"a" * 10}
    nowhere = cli.json("exec", "p.py", "--keep-workspace", "absent/all.tar", code=2)["error"]
    assert "--keep-workspace absent/all.tar" in nowhere
    assert not list(tmp_path.glob(".all.tar*"))


def test_a_person_reads_each_finding_once(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("import os\nx = eval('1')\nos.system('id')\n")
    done = cli("exec", "bad.py", COLUMNS="200")
    assert done.returncode == 1
    read = " ".join((done.stdout + done.stderr).split())
    for finding in cli.json("check", "bad.py", code=1)[0]["findings"]:
        assert read.count(" ".join(finding["message"].split())) == 1, finding["rule"]
        assert finding["rule"] in done.stderr, "the progress says by which rule"
    said = cli("check", "bad.py").stdout
    rules = re.findall(r"denied by ([a-z-]+):", said)
    assert rules == [finding["rule"] for finding in cli.json("check", "bad.py", code=1)[0]["findings"]]


@pytest.mark.parametrize(("words", "attempts"), [
    (("--max-tokens", "1"), 1), (("--max-seconds", "0.001"), 0)])  # time over ends the reply itself
def test_a_run_is_bounded_by_tokens_and_by_time(cli: Cli, tmp_path: Path, words: tuple[str, str], attempts: int) -> None:
    reply = {"text": "```python\nraise ValueError('no')\n```", "usage": {"calls": 1, "input_tokens": 5, "output_tokens": 5}}
    (tmp_path / "r.json").write_text(json.dumps({"version": 1, "entries": [{"purpose": "program", "reply": reply}] * 3}))
    outcome = cli.json("run", "one", "--model", "recording:r.json", *words, code=1)
    assert (outcome["stop_reason"], len(outcome["attempts"])) == ("budget_exhausted", attempts)


def test_a_sensitive_input_is_asked_about_and_told_to_no_model(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "open.csv").write_text("shown,x\n1,2\n")
    (tmp_path / "pay.csv").write_text("salary,name\n1000,anna\n")
    reply = {"text": "```python\nprint(len(open('pay.csv').read()))\n```"}
    (tmp_path / "r.json").write_text(json.dumps({"version": 1, "entries": [{"purpose": "program", "reply": reply}]}))
    words = ("--input", "open.csv", "--input", "pay.csv", "--model", "recording:r.json", "--preview", "rows")
    waiting = cli.json("run", "sum", *words, "--sensitive", "pay.csv", code=3)
    assert "sensitive inputs: pay.csv" in waiting["question"]["action_requests"][0]["description"]
    driver = Driver(Settings(home=cli.home, model="recording:r.json"))
    told = "".join(message.content for message in driver.history(waiting["run_id"])[-1].values["messages"])
    driver.live.close()
    assert "shown" in told
    assert "pay.csv" in told
    assert "salary" not in told
    assert "anna" not in told
    assert cli.json("approve", waiting["run_id"], code=0)["status"] == "answered"
    assert "no input is named 'pay'" in cli.json("run", "sum", *words, "--sensitive", "pay", code=2)["error"]


def test_a_question_expires_and_says_so(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text("print(5)")
    waiting = cli.json("exec", "p.py", "--approval", "always", "--expires", "0.1", code=3)
    time.sleep(0.2)
    assert cli.json("runs", "--waiting", code=0)[0]["expires"]
    assert "to be decided until" in cli("runs", "--waiting").stdout
    assert "expired" in cli.json("approve", waiting["run_id"], code=2)["error"]
    outcome = cli.json("resume", waiting["run_id"], code=1)
    assert (outcome["stop_reason"], outcome["attempts"][0]["execution"]) == ("approval_expired", None)


def test_what_waits_names_whom_it_waits_for(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text("print(5)")
    (tmp_path / "team.toml").write_text('extends = "data-analysis"\nname = "team"\napprovers = "data protection, room 12"\n')
    cli.json("exec", "p.py", "--approval", "always", code=3)
    waiting = cli.json("exec", "p.py", "--approval", "always", "--policy", "team.toml", code=3)
    assert "data protection, room 12" in waiting["question"]["action_requests"][0]["description"]
    listed = cli.json("runs", "--waiting", code=0)
    assert [item["waits_for"] for item in listed] == ["data protection, room 12", "whoever can open this store"]
    assert "waits for data protection, room 12:" in " ".join(cli("runs", "--waiting").stdout.split())


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


def test_a_second_model_answers_and_what_it_said_plays_again(cli: Cli, tmp_path: Path) -> None:
    secret = "sk-proj-abcdefghijklmnop123456"
    reply = f"```python\nprint(6 * 7)  # {secret}\n```"
    (tmp_path / "r.json").write_text(json.dumps({"version": 1, "entries": [{"purpose": "program", "reply": reply}]}))
    words = ("--model", "vllm:gone", "--fallback-model", "recording:r.json", "--record", "said.json")
    outcome = cli.json("run", "multiply", *words, code=0, VLLM_BASE_URL="http://127.0.0.1:9/v1",
                       FUMEHOOD_MODEL_RETRIES="0")
    assert outcome["result"] == 42
    written = (tmp_path / "said.json").read_text()
    assert "6 * 7" in written
    assert secret not in written
    assert cli.json("run", "multiply", "--model", "recording:said.json", code=0)["result"] == 42


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


def test_an_old_run_is_found_again(cli: Cli) -> None:
    week = 7 * 86400
    with RunStore(Path(cli.home)) as store:
        goals = [("Größe je Region", 6), ("ventes", 6), ("Größe je Region", 30), ("ventes", 0)]
        for number, (goal, days) in enumerate(goals):
            store.create(f"run-{number}", Task(goal=goal))
            with store._database.transaction() as transaction:
                transaction.change("UPDATE runs SET created = ? WHERE run_id = ?",
                                   (time.time() - days * 86400, f"run-{number}"))
    listed = cli.json("runs", "--since", "7d", "--matching", "GRÖSSE", code=0)
    assert [item["run_id"] for item in listed] == ["run-0"]
    date = datetime.fromtimestamp(time.time() - week).date().isoformat()
    assert {item["run_id"] for item in cli.json("runs", "--since", date, code=0)} == {"run-0", "run-1", "run-3"}
    assert [item["run_id"] for item in cli.json("runs", "--since", "1h", "--limit", "1", code=0)] == ["run-3"]
    counted = cli.json("runs", "--stats", "--since", "7d", code=0)
    assert sum(item["count"] for item in counted if item["kind"] == "status") == 3
    assert "--since soon" in cli.json("runs", "--since", "soon", code=2)["error"]


def test_version(cli: Cli) -> None:
    assert cli("--version").stdout.startswith("fumehood ")
