"""Recordings: played by position and in another process, written from a real run, without secrets."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from fumehood.graph.chat import Reply, ToolRequest
from fumehood.graph.errors import ModelUnavailable, SettingsInvalid
from fumehood.graph.models import open_chat
from fumehood.graph.recording import RecordedChat, Recorder, opening_sha256, read_recording
from fumehood.graph.redact import without_secrets
from fumehood.graph.settings import Settings
from fumehood.graph.state import Message, Usage

HAND_WRITTEN = """
version: 1
label: as a good model would reply
entries:
- purpose: plan
  reply: |
    {"steps": ["compute"], "needs_code": true}
- purpose: program
  reply: |
    First I look.

    ```python
    print(1)
    ```
- purpose: program
  reply:
    text: half
    finish_reason: length
    tool_calls:
    - {name: run_python, arguments: "{}"}
    usage: {input_tokens: 5, output_tokens: 2}
"""
OPENING = [Message(role="system", content="rules"), Message(role="user", content="goal")]


def later(number: int) -> list[Message]:
    turns = [turn for place in range(number) for turn in (Message(role="assistant", content=f"p{place}"),
                                                          Message(role="user", content=f"output {place}"))]
    return [*OPENING, *turns]


@pytest.fixture
def hand_written(tmp_path: Path) -> Path:
    file = tmp_path / "replies.yml"
    file.write_text(HAND_WRITTEN)
    return file


class Model:
    """A model that gives replies in order."""

    label = "test:model"
    recorded = False

    def __init__(self, replies: Sequence[Reply]) -> None:
        self.replies = list(replies)

    def unavailable(self) -> str | None:
        return None

    def ask(self, *_: Any, **__: Any) -> Reply:
        return self.replies.pop(0)


def test_entries_are_played_by_purpose_in_their_order(hand_written: Path) -> None:
    chat = open_chat(f"recording:{hand_written}", Settings())
    tokens: list[str] = []
    assert chat.recorded
    assert chat.unavailable() is None
    plan = chat.ask(OPENING, purpose="plan", on_token=tokens.append)
    assert json.loads(plan.text)["steps"] == ["compute"]
    assert "".join(tokens) == plan.text
    assert plan.model == "as a good model would reply"
    first, second = chat.ask(OPENING, purpose="program"), chat.ask(later(1), purpose="program")
    assert "print(1)" in first.text
    assert (second.text, second.finish_reason) == ("half", "length")
    assert second.tool_calls == [ToolRequest(name="run_python", arguments="{}")]
    assert second.usage == Usage(calls=1, input_tokens=5, output_tokens=2)


def test_the_position_is_the_callers_and_not_the_objects(hand_written: Path) -> None:
    chat = RecordedChat(hand_written)
    assert chat.ask(OPENING, purpose="program", index=1).text == "half"
    assert "print(1)" in chat.ask(OPENING, purpose="program", index=0).text
    assert "print(1)" in chat.ask(later(3), purpose="program", index=0).text


def test_a_run_goes_on_in_another_process(hand_written: Path) -> None:
    program = ("import sys\nfrom fumehood.graph.recording import RecordedChat\nfrom fumehood.graph.state import Message\n"
               "turns = [Message(role=r, content='x') for r in ('system', 'user', 'assistant', 'user')]\n"
               "print(RecordedChat(sys.argv[1]).ask(turns, purpose='program').text)")
    done = subprocess.run([sys.executable, "-c", program, str(hand_written)], capture_output=True, text=True, check=True)
    assert done.stdout == "half\n"


def test_what_was_not_recorded(hand_written: Path) -> None:
    chat = RecordedChat(hand_written)
    assert chat.ask(OPENING, purpose="explain").finish_reason == "absent"
    assert chat.ask(OPENING, purpose="plan", index=1).finish_reason == "absent"
    with pytest.raises(ModelUnavailable, match="2 program replies and the run asks for number 3"):
        chat.ask(later(2), purpose="program")


@pytest.mark.parametrize(("text", "words"), [
    ("[]", "no recording"), ("version: 2\nentries: []", "version"), ("version: 1\nentries: [{purpose: x, reply: y}]",
    "purpose"), ("version: 1\nentries: [{purpose: plan, reply: {txt: y}}]", "txt"), ("a: [", "no recording"),
    ("", "no recording"),
])
def test_a_wrong_file_says_what_is_wrong(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "wrong.yml"
    file.write_text(text)
    chat = RecordedChat(file)
    assert words in (chat.unavailable() or "")
    with pytest.raises(ModelUnavailable, match=words):
        chat.ask(OPENING, purpose="program")


def test_a_missing_file_and_bytes(tmp_path: Path) -> None:
    assert "check the path" in (RecordedChat(tmp_path / "none.json").unavailable() or "")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00")
    assert "is not UTF-8" in (RecordedChat(tmp_path / "bytes.json").unavailable() or "")


@pytest.mark.parametrize("name", ["run.json", "run.yml"])
def test_what_is_recorded_plays_again(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    replies = [Reply(text='{"steps": []}'), Reply(text="```python\nprint('é')\n```", finish_reason="stop", model="m-1",
                                                  usage=Usage(calls=2, input_tokens=9, output_tokens=3, cost=1.5)),
               Reply(text="cut", finish_reason="length", tool_calls=[ToolRequest(name="f", arguments="{")])]
    recorder = Recorder(Model(replies), file)
    assert recorder.unavailable() is None
    assert recorder.label == "test:model"
    recorder.ask(OPENING, purpose="plan")
    recorder.ask(OPENING, purpose="program")
    # Another process goes on with the run: the file is its only memory.
    Recorder(Model(replies[2:]), file).ask(later(1), purpose="program")
    chat = RecordedChat(file)
    played = [chat.ask(OPENING, purpose="plan"), chat.ask(OPENING, purpose="program"),
              chat.ask(later(1), purpose="program")]
    assert [reply.text for reply in played] == [reply.text for reply in replies]
    assert [reply.finish_reason for reply in played] == ["stop", "stop", "length"]
    assert played[2].tool_calls == replies[2].tool_calls
    assert played[1].usage == Usage(calls=1, input_tokens=9, output_tokens=3)
    assert all(reply.warnings == [] for reply in played)


def test_running_again_replaces_the_recording(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    for text in ("old", "new"):
        recorder = Recorder(Model([Reply(text="{}"), Reply(text=text)]), file)
        recorder.ask(OPENING, purpose="plan")
        recorder.ask(OPENING, purpose="program")
    assert [entry.reply.text for entry in read_recording(file).entries] == ["{}", "new"]


def test_a_file_that_is_no_recording_is_not_written_over(tmp_path: Path) -> None:
    file = tmp_path / "thesis.json"
    file.write_text("years of work")
    with pytest.raises(ModelUnavailable, match="will not write over it"):
        Recorder(Model([Reply(text="{}")]), file).ask(OPENING, purpose="plan")
    assert file.read_text() == "years of work"


def test_a_place_that_cannot_be_written_is_said_before_the_first_call(tmp_path: Path) -> None:
    assert "cannot be written" in (Recorder(Model([]), tmp_path / "no" / "run.json").unavailable() or "")


def test_a_recording_that_no_longer_fits_says_so(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    recorder = Recorder(Model([Reply(text="a"), Reply(text="b")]), file)
    recorder.ask(OPENING, purpose="program")
    recorder.ask(later(1), purpose="program")
    chat = RecordedChat(file)
    other_output = [*OPENING, Message(role="assistant", content="a"), Message(role="user", content="ran 0.3 s")]
    assert chat.ask(other_output, purpose="program").warnings == [], "outputs hold timings and never repeat"
    other_goal = [OPENING[0], Message(role="user", content="another goal")]
    assert "another program prompt: the goal" in chat.ask(other_goal, purpose="program").warnings[0]
    document = json.loads(file.read_text())
    assert document["entries"][0]["prompt_sha256"] == opening_sha256(OPENING)
    document["prompts_sha256"] = "0" * 64
    file.write_text(json.dumps(document))
    assert "fumehood's own prompts" in RecordedChat(file).ask(other_goal, purpose="program").warnings[0]


def test_secrets_are_not_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_API_TOKEN", "correct horse battery")
    text = "key sk-proj-abcdefghijklmnop123456 and correct horse battery"
    call = ToolRequest(name="f", arguments="ghp_abcdefghijklmnopqrstuvwxyz0123")
    file = tmp_path / "run.yml"
    reply = Recorder(Model([Reply(text=text, tool_calls=[call])]), file).ask(OPENING, purpose="program")
    assert reply.text == text, "the run itself goes on with what the model said"
    written = file.read_text()
    for secret in ("sk-proj", "horse", "ghp_"):
        assert secret not in written
    assert yaml.safe_load(written)["entries"][0]["reply"]["text"] == "key [removed] and [removed]"


@pytest.mark.parametrize(("text", "clean"), [
    ("-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nrest", "[removed]\nrest"),
    ("AKIAABCDEFGHIJKLMNOP.", "[removed]."),
    ("Authorization: Bearer abcdefghijklmnop1234", "Authorization: Bearer [removed]"),
    ("postgresql://me:hunter22@db/x", "postgresql://me:[removed]@db/x"),
    ("task-force sk-short monkey = 3", "task-force sk-short monkey = 3"),
    ("a dictionary: {'MONKEY': 'value1234567'}", "a dictionary: {'MONKEY': 'value1234567'}"),
])
def test_shapes_of_secrets(text: str, clean: str) -> None:
    assert without_secrets(text, {"X_KEY": "short", "PATH": "a dictionary"}) == clean


def test_settings_error_is_raised_by_the_reader(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text("{}")
    with pytest.raises(SettingsInvalid, match="version: 1"):
        read_recording(file)
