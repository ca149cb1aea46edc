"""What the documents say is what the code does."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from fumehood.graph.stop import ADVICE, StopReason

ROOT = Path(__file__).parents[1]


def test_troubleshooting_has_a_true_row_for_every_stop_reason() -> None:
    text = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", text, re.MULTILINE))
    assert list(rows) == [reason.value for reason in StopReason]
    for reason, row in rows.items():
        cause, remedy, again = row.split(" | ")
        assert len(cause) > 10
        assert remedy == ADVICE[StopReason(reason)].next
        assert again == ("yes" if ADVICE[StopReason(reason)].retryable else "no")


def test_every_stop_reason_has_advice() -> None:
    assert set(ADVICE) == set(StopReason)


def test_the_readme_names_tests_that_exist() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for path, name in re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text):
        assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8"), (path, name)


@pytest.fixture
def documented(tmp_path: Path) -> Path:
    """The files that docs/policy.md shows, as it shows them."""
    text = (ROOT / "docs" / "policy.md").read_text(encoding="utf-8")
    for name, content in re.findall(r"^```\w+ (policy/\S+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return tmp_path / "policy"


def call(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "fumehood.apps.cli", *words], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "FUMEHOOD_HOME": str(folder / ".home")})


def test_the_policy_of_the_document_is_what_it_says(documented: Path) -> None:
    shown = json.loads(call("policy", "show", "--policy", "team.toml", "--json", folder=documented).stdout)
    assert "networkx.*" in {entry["entry"] for entry in shown["imports"]}
    assert "sqlite3" not in {entry["entry"] for entry in shown["imports"]}
    assert (shown["approval"], shown["kinds"]["simulation"], shown["cost"]["high"]) == ("always", "review", "deny")
    assert shown["limits_ceiling"]["memory_mb"] == 2048
    assert "to_excel" in shown["review_calls"]
    tested = call("policy", "test", "--policy", "team.toml", folder=documented)
    assert tested.returncode == 0, tested.stdout


def test_the_rule_of_the_document_denies_in_words(documented: Path) -> None:
    (documented / "who.py").write_text('import pandas as pd\nprint(pd.read_csv("sales.csv").customer_name)\n')
    (documented / "fine.py").write_text("print(1)\n")
    done = call("check", "--policy", "team.toml", "who.py", "fine.py", folder=documented)
    assert done.returncode == 1
    assert "denied by no-customer-names: Customers' names do not leave the table." in done.stdout
    assert "fine.py: allow" in done.stdout


def test_the_hook_takes_many_files_in_one_call(tmp_path: Path) -> None:
    [hook] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    command, *words = shlex.split(hook["entry"])
    assert command == "fumehood"
    assert hook["require_serial"] is True
    for number in range(120):
        (tmp_path / f"{number}.py").write_text(f"print({number})\n")
    done = call(*words, *(f"{number}.py" for number in range(120)), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(": allow\n") == 120
