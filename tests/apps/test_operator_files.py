"""Whatever file is named at whichever option: a sentence and exit code 2, never a hang, never a traceback."""

import os
from pathlib import Path
from typing import Any

import pytest
from fumehood.apps.cli import app
from typer.testing import CliRunner

GOOD = "final_answer(1)\n"
BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefg", "bcdefgh", strict=True))
WAYS: dict[str, list[str]] = {
    "exec": ["exec", "GIVEN"], "check": ["check", "good.py", "GIVEN"], "schema": ["exec", "good.py", "--schema", "GIVEN"],
    "policy": ["exec", "good.py", "--policy", "GIVEN"], "check's policy": ["check", "good.py", "--policy", "GIVEN"],
    "policy show": ["policy", "show", "--policy", "GIVEN"], "recording": ["run", "x", "--model", "recording:GIVEN"],
    "instructions": ["run", "x", "--model", "recording:good.yml", "--instructions", "@GIVEN"],
    "fallback": ["run", "x", "--model", "recording:good.yml", "--fallback", "GIVEN"],
    "input": ["exec", "good.py", "--input", "GIVEN"],
    "requirements": ["sandbox", "build", "--engine", "bubblewrap", "--requirements", "GIVEN"],
}
NO_FILE = ("folder", "pipe", "device", "huge", "absent", "loop")
TEXTS: dict[str, bytes] = {
    "utf-16": '{"type": "object"}'.encode("utf-16"), "latin-1": "größer".encode("latin-1"), "binary": bytes(range(256)),
    "deep": b'{"a":' * 50_000, "nested": b"[" * 5_000 + b"]" * 5_000, "bomb": BOMB.encode()}


@pytest.fixture
def here(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "here"
    folder.mkdir()
    (folder / "good.py").write_text(GOOD)
    (folder / "good.yml").write_text("version: 1\nentries: []\n")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("FUMEHOOD_HOME", str(home))
    return folder


def refused(words: list[str]) -> str:
    """What is said on stderr."""
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 2, (done.exception, done.output)
    assert isinstance(done.exception, SystemExit), "a traceback"
    said = done.stderr.strip()
    assert said.startswith("fumehood: ")
    return said


def make(kind: str, path: Path) -> None:
    match kind:
        case "folder":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case "device":
            path.symlink_to("/dev/zero")
        case "huge":
            with path.open("wb") as handle:
                handle.truncate(1 << 40)
        case "loop":
            path.symlink_to(path.name)


# A folder and a large file are inputs like others.
@pytest.mark.parametrize(("way", "kind"), [(way, kind) for way in WAYS for kind in NO_FILE
                                           if way != "input" or kind not in ("folder", "huge")])
def test_what_is_no_text_file_is_refused(way: str, kind: str, here: Path) -> None:
    make(kind, here / "given.yml")
    said = refused([word.replace("GIVEN", "given.yml") for word in WAYS[way]])
    assert "given.yml" in said
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("way", ["schema", "policy", "check's policy", "policy show", "recording"])
def test_a_text_that_is_no_such_document_is_refused(way: str, kind: str, here: Path) -> None:
    for name in ("given.yml", "given.json") if way == "recording" else ("given.yml",):
        (here / name).write_bytes(TEXTS[kind])
        said = refused([word.replace("GIVEN", name) for word in WAYS[way]])
        assert name in said
        assert len(said) < 1_000


@pytest.mark.parametrize("kind", ["utf-16", "latin-1", "binary"])
@pytest.mark.parametrize("way", ["exec", "instructions", "fallback"])
def test_a_program_or_text_that_is_not_utf_8_is_refused(way: str, kind: str, here: Path) -> None:
    (here / "given.yml").write_bytes(TEXTS[kind])
    assert "is not UTF-8" in refused([word.replace("GIVEN", "given.yml") for word in WAYS[way]])


def test_more_than_a_program_on_standard_input_is_refused(here: Path) -> None:
    done = CliRunner().invoke(app, ["exec", "-"], input=b"#" * (17 << 20))
    assert done.exit_code == 2
    assert "standard input is larger" in done.stderr


@pytest.mark.parametrize(("name", "value", "said"), [
    ("FUMEHOOD_ENGINES", "bubblewrap", "as JSON"), ("FUMEHOOD_MODEL_RETRIES", "many", "FUMEHOOD_MODEL_RETRIES: "),
    ("FUMEHOOD_PRICES", '{"m": {"input": -1, "output": 1}}', "FUMEHOOD_PRICES: "),
    ("FUMEHOOD_DATABASE_URL", "mysql://x", "no PostgreSQL address")])
def test_a_wrong_variable_is_named(here: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str) -> None:
    monkeypatch.setenv(name, value)
    shown: Any = refused(["runs"])
    assert said in shown
    assert len(shown.splitlines()) == 1
