"""Previews of the inputs: fumehood's inspection program, and what it found as text for a model.

What comes back from the sandbox is hostile like the files it looked at, so it is read as data of bounded size here.
"""

import json
import re
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from .prompts import as_data
from .task import Preview

_PARTS = ("inspect_text.py", "inspect_formats.py", "inspect_inputs.py")
_SIBLING = re.compile(r"^from \.inspect_\w+ import (?:\([^)]*\)|[^\n]*)\n", re.MULTILINE)
_CODEC = re.compile(r"(?:utf|cp|koi|latin|iso)[a-z0-9_-]{1,16}")
_LONGEST = 12_000
_LARGEST = 4_000_000
_NO_FACTS = "(the preview could not be made; look at the files with a program)"


class _Found(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class _Column(_Found):
    name: str
    type: str = ""
    part: str = ""
    """The sheet or table that it belongs to."""
    notes: list[str] = []
    values: list[str] = []


class _File(_Found):
    name: str
    bytes: int = Field(ge=0)
    kind: str = ""
    encoding: str = ""
    facts: list[str] = []
    columns: list[_Column] = []
    more_columns: int = 0
    members: list[str] = []
    rows: list[list[str]] = []
    lines: list[str] = []
    problem: str = ""


class _Inspection(_Found):
    files: list[_File]
    left_out: int = 0


@cache
def preview_program() -> str:
    """The inspection program's text. Run it in a sandbox over the inputs; it delivers JSON for `render_preview`."""
    folder = resources.files("fumehood.nodes.prompts")
    parts = [_SIBLING.sub("", (folder / name).read_text("utf-8")) for name in _PARTS]
    return "\n\n".join(parts) + "\n\nfinal_answer(inspect_workspace())\n"


def known_of(found: str) -> tuple[dict[str, list[str]], dict[str, str]]:
    """Column names and encodings by file, from what the inspection found (JSON text), for hints at errors.

    An encoding counts only where it is a codec's name and not UTF-8; nothing else of a file can pass for one.
    """
    inspection = _read(found)
    columns: dict[str, list[str]] = {}
    encodings: dict[str, str] = {}
    for file in inspection.files if inspection else ():
        for column in file.columns:
            columns.setdefault(f"{file.name}, {column.part}" if column.part else file.name, []).append(column.name)
        if _CODEC.fullmatch(file.encoding) and file.encoding != "utf-8":
            encodings[file.name] = file.encoding
    return columns, encodings


def render_preview(found: str, level: Preview, *, longest: int = _LONGEST) -> str:
    """What the inspection found (JSON text), as text for a model between data marks.

    `names`: names and sizes; `schema`: also formats, columns and types; `rows`: also first rows. `none` is empty.
    Stays below `longest` characters: values go first, then columns, then all but the names. Never raises.
    """
    if level == "none":
        return ""
    inspection = _read(found)
    if inspection is None:
        return _NO_FACTS
    return _within(inspection, level, longest)


def render_names(files: Sequence[tuple[str, int]], *, longest: int = _LONGEST) -> str:
    """Names and sizes between data marks: names are content, too, and may hold what reads like an instruction."""
    listed = [_File(name=name, bytes=size) for name, size in files]
    return _within(_Inspection(files=listed), "names", longest)


def _within(inspection: _Inspection, level: Preview, longest: int) -> str:
    text = ""
    for most in (level, "schema", "narrow", "names"):
        text = _listed(inspection, most if _ORDER[most] <= _ORDER[level] else level)
        if len(text) <= longest:
            break
    if len(text) > longest:
        text = text[:longest].rpartition("\n")[0] + "\n… (more files are not shown)"
    return as_data(text, "inputs")


_ORDER = {"none": 0, "names": 1, "narrow": 2, "schema": 3, "rows": 4}
_NARROW = 12


def _read(found: str) -> _Inspection | None:
    if len(found) > _LARGEST:
        return None
    try:
        return _Inspection.model_validate(json.loads(found))
    except (ValueError, ValidationError, RecursionError):
        return None


def _listed(inspection: _Inspection, level: str) -> str:
    lines: list[str] = []
    for file in inspection.files:
        kind = f": {_safe(file.kind)}" if file.kind and level != "names" else ""
        lines.append(f"{_quoted(file.name)} ({file.bytes:,} bytes){kind}")
        if level != "names":
            lines += _described(file, level)
    if inspection.left_out > 0:
        lines.append(f"… and {inspection.left_out} more files")
    return "\n".join(lines) or "(no files)"


def _described(file: _File, level: str) -> list[str]:
    lines = [f"- {_safe(fact, 4000)}" for fact in file.facts[:40]]
    if file.problem:
        lines.append(f"- {_safe(file.problem)}")
    shown = file.columns[:_NARROW] if level == "narrow" else file.columns
    for column in shown:
        part = f"{_quoted(column.part)} → " if column.part else ""
        notes = "".join(f"; {_safe(note)}" for note in column.notes[:6])
        values = "; such as " + ", ".join(_quoted(value) for value in column.values[:3]) \
            if level == "rows" and column.values else ""
        lines.append(f"  - {part}{_quoted(column.name)}: {_safe(column.type)}{notes}{values}")
    more = max(0, file.more_columns) + len(file.columns) - len(shown)
    if more:
        lines.append(f"  - … and {more} more columns")
    lines += [f"  - {_safe(member)}" for member in file.members[:_NARROW if level == "narrow" else 60]]
    if level == "rows":
        if file.rows:
            lines.append("- first rows:")
        lines += ["  " + json.dumps([_safe(cell) for cell in row[:60]], ensure_ascii=False) for row in file.rows[:5]]
        lines += [f"  | {_safe(line)}" for line in file.lines[:12]]
    return lines


def _safe(text: Any, longest: int = 400) -> str:
    """One line of printable text: controls, format characters and lone surrogates as escapes."""
    text = str(text)
    letters = (letter if letter.isprintable() else letter.encode("unicode_escape", "backslashreplace").decode("ascii")
               for letter in text[:longest])
    return "".join(letters) + ("…" if len(text) > longest else "")


def _quoted(text: str) -> str:
    return json.dumps(_safe(text), ensure_ascii=False)
