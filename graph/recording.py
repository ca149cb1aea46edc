"""Recordings: replies of a model in a file, played instead of a model, or written down from a real run.

A recording is JSON, or YAML where a person writes it by hand:

    version: 1
    label: how a good model would reply
    entries:
    - purpose: plan
      reply: |
        {"steps": ["read sales.csv", "compute the rates"], "needs_code": true}
    - purpose: program
      reply:
        text: "```python\\nprint(1)\\n```"
        finish_reason: stop

Entries of one purpose are played in their order. `prompt_sha256` and `prompts_sha256` are written by `--record` and may
be left out: they tell when a recording no longer fits.
"""

import json
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from ..policies.reading import Unreadable, parse_json, parse_yaml, read_text
from ..policies.verdict import sha256_json
from .chat import Chat, Purpose, Reply
from .errors import ModelUnavailable, SettingsInvalid
from .prompts import prompts_sha256
from .redact import without_secrets
from .state import Message, Usage

_LARGEST = 64 * 1024 * 1024


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Entry(_Data):
    """One recorded reply."""

    purpose: Purpose
    reply: Reply
    prompt_sha256: str = ""
    """Of the messages before the first assistant turn; later ones hold timings and never repeat."""

    @field_validator("reply", mode="before")
    @classmethod
    def _plain_text(cls, value: Any) -> Any:
        return {"text": value} if isinstance(value, str) else value


class Recording(_Data):
    """What the file holds."""

    version: Literal[1]
    label: str = ""
    prompts_sha256: str = ""
    """Of the prompt files when it was recorded."""
    entries: list[Entry]


def read_recording(path: str | Path) -> Recording:
    """The recording in a JSON or YAML file. Raises SettingsInvalid that says what is wrong with it."""
    file = Path(path).expanduser()
    try:
        text = read_text(file, most=_LARGEST)
    except Unreadable as error:
        raise SettingsInvalid(f"recording {error}") from error
    try:
        return Recording.model_validate(parse_json(text) if file.suffix == ".json" else parse_yaml(text))
    except ValueError as error:
        raise SettingsInvalid(f"{str(file)!r} is no recording: {_wrong(error)}. It needs version: 1 and a list of entries, "
                              "each with a purpose (plan, program, explain) and a reply") from error


def _wrong(error: Exception) -> str:
    """The first things that are wrong, in a sentence."""
    if isinstance(error, ValidationError):
        places = (".".join(str(part) for part in item["loc"]) or "the document" for item in error.errors()[:3])
        return "; ".join(f"{place}: {item['msg'].removeprefix('Value error, ')}"
                         for place, item in zip(places, error.errors(), strict=False))
    return " ".join(str(error).split())


def opening_sha256(messages: Sequence[Message]) -> str:
    """Digest of the messages before the first assistant turn."""
    opening = []
    for message in messages:
        if message.role == "assistant":
            break
        opening.append([message.role, message.content])
    return sha256_json(opening)


def position(messages: Sequence[Message], index: int | None) -> int:
    """How many replies came before: as the caller counted, else the assistant turns of the conversation."""
    return index if index is not None else sum(message.role == "assistant" for message in messages)


class RecordedChat:
    """Plays a recording. Holds no position of its own, so that a run goes on in another process where it stopped."""

    recorded = True

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path).expanduser()
        self.label = f"recording:{path}"
        self._recording: Recording | None = None

    def recording(self) -> Recording:
        """Read once. Raises SettingsInvalid."""
        if self._recording is None:
            self._recording = read_recording(self.path)
        return self._recording

    def unavailable(self) -> str | None:
        try:
            self.recording()
        except SettingsInvalid as error:
            return str(error)
        return None

    def ask(self, messages: Sequence[Message], *, purpose: Purpose, schema: dict[str, Any] | None = None,
            on_token: Callable[[str], None] | None = None, index: int | None = None) -> Reply:
        """The recorded reply at this position. `absent` for a plan or an explanation that was not recorded.

        Raises ModelUnavailable when the programs have run out or the file cannot be played.
        """
        try:
            recording = self.recording()
        except SettingsInvalid as error:
            raise ModelUnavailable(str(error)) from error
        entries = [entry for entry in recording.entries if entry.purpose == purpose]
        place = position(messages, index)
        if place >= len(entries):
            if purpose != "program":
                return Reply(finish_reason="absent", model=self.label)
            raise ModelUnavailable(f"{self.label} holds {len(entries)} program replies and the run asks for number "
                                   f"{place + 1}; record more, or ask a real model")
        entry = entries[place]
        warnings = [*entry.reply.warnings, *self._misfits(recording, entry, messages)]
        if on_token is not None:
            on_token(entry.reply.text)
        usage = entry.reply.usage.model_copy(update={"calls": 1})
        model = entry.reply.model or recording.label or self.label
        return entry.reply.model_copy(update={"warnings": warnings, "usage": usage, "model": model})

    def _misfits(self, recording: Recording, entry: Entry, messages: Sequence[Message]) -> list[str]:
        if entry.prompt_sha256 and entry.prompt_sha256 != opening_sha256(messages):
            changed = recording.prompts_sha256 and recording.prompts_sha256 != prompts_sha256()
            cause = "fumehood's own prompts" if changed else "the goal, the inputs or the settings"
            return [f"{self.label} was recorded for another {entry.purpose} prompt: {cause} changed since"]
        return []


class Recorder:
    """Asks a model and writes its replies down, secrets removed. One run at a time per file.

    A reply of position 0 begins the purpose anew, so that running again replaces what an earlier run left; a run that
    goes on in another process adds to the file.
    """

    def __init__(self, chat: Chat, path: str | Path) -> None:
        self._chat = chat
        self._path = Path(path).expanduser()
        self.label = chat.label
        self.recorded = chat.recorded

    def unavailable(self) -> str | None:
        folder = self._path.parent
        if not folder.is_dir() or not os.access(folder, os.W_OK):
            return f"the recording {str(self._path)!r} cannot be written: make its folder first"
        return self._chat.unavailable()

    def ask(self, messages: Sequence[Message], *, purpose: Purpose, schema: dict[str, Any] | None = None,
            on_token: Callable[[str], None] | None = None, index: int | None = None) -> Reply:
        reply = self._chat.ask(messages, purpose=purpose, schema=schema, on_token=on_token, index=index)
        if reply.finish_reason == "absent":
            return reply
        place = position(messages, index)
        entries = self._kept(purpose, place)
        entries.append(Entry(purpose=purpose, reply=_clean(reply), prompt_sha256=opening_sha256(messages)))
        recording = Recording(version=1, label=reply.model or self.label, prompts_sha256=prompts_sha256(),
                              entries=entries)
        try:
            _write(self._path, recording)
        except OSError as error:
            raise ModelUnavailable(f"the recording {str(self._path)!r} cannot be written: {error}") from error
        return reply

    def _kept(self, purpose: Purpose, place: int) -> list[Entry]:
        if not self._path.exists():
            return []
        try:
            entries = read_recording(self._path).entries
        except SettingsInvalid as error:
            raise ModelUnavailable(f"will not write over it: {error}") from error
        if purpose == "plan" and place == 0:
            return []
        kept, seen = [], 0
        for entry in entries:
            if entry.purpose == purpose:
                seen += 1
                if seen > place:
                    continue
            kept.append(entry)
        return kept


def _clean(reply: Reply) -> Reply:
    calls = [call.model_copy(update={"arguments": without_secrets(call.arguments)}) for call in reply.tool_calls]
    return reply.model_copy(update={"text": without_secrets(reply.text), "tool_calls": calls,
                                    "usage": Usage(calls=1, input_tokens=reply.usage.input_tokens,
                                                   output_tokens=reply.usage.output_tokens)})


def _write(path: Path, recording: Recording) -> None:
    document = recording.model_dump(mode="json", exclude_defaults=True) | {"version": recording.version}
    text = (json.dumps(document, ensure_ascii=False, indent=1) if path.suffix == ".json"
            else yaml.safe_dump(document, allow_unicode=True, sort_keys=False, width=110))
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as file:
            file.write(text + "\n")
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
