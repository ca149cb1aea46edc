"""From the words of a command line to a Task."""

import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any

from ..graph.errors import SettingsInvalid
from ..graph.task import Task, inputs_from
from ..policies import reading
from ..policies.reading import parse_json


def input_sources(items: list[str]) -> dict[str, Path | str | bytes]:
    """`PATH` under its own name, `NAME=PATH` under NAME. A path that exists and holds `=` is taken as a path."""
    sources: dict[str, Path | str | bytes] = {}
    for item in items:
        name, equals, path = item.partition("=")
        if not equals or Path(item).exists():
            name, path = Path(item).expanduser().absolute().name, item
        if not name:
            raise SettingsInvalid(f"input {item!r} has no name; write NAME=PATH")
        if name in sources:
            raise SettingsInvalid(f"two inputs are named {name!r}; give one another name with NAME=PATH")
        sources[name] = Path(path)
    return sources


def read_schema(path: Path | None) -> dict[str, Any] | None:
    """A JSON Schema from a file. Raises SettingsInvalid that names what is wrong with it."""
    if path is None:
        return None
    try:
        schema = parse_json(reading.read_text(path).removeprefix("\ufeff"))
    except reading.Unreadable as error:
        raise SettingsInvalid(f"--schema {error}") from error
    except ValueError as error:
        raise SettingsInvalid(f"--schema {path}: {error}") from error
    if not isinstance(schema, dict):
        raise SettingsInvalid(f"--schema {path}: a JSON Schema is an object here, not {type(schema).__name__}")
    return schema


def read_text(value: str | None) -> str:
    """The text itself, or a file's content for `@FILE`. Raises Unreadable."""
    if not value or not value.startswith("@"):
        return value or ""
    return reading.read_text(Path(value[1:]))


def read_program(path: Path) -> str:
    """A program's text; `-` is standard input. Raises Unreadable for what is no text; the gate judges the rest."""
    return reading.as_text(read_source(path), "standard input" if str(path) == "-" else path)


def read_source(path: Path) -> bytes:
    """A program's bytes; `-` is standard input. Raises Unreadable for what is no file, or far too large."""
    if str(path) != "-":
        return reading.read_file(path)
    data = sys.stdin.buffer.read(reading.MOST_BYTES + 1)
    if len(data) > reading.MOST_BYTES:
        raise reading.Unreadable(f"standard input is larger than {reading.MOST_BYTES:,} bytes; is it a program?")
    return data


def make_task(*, goal: str, home: Path, inputs: list[str], limits: dict[str, float | None],
              sensitive: Collection[str] = (), **given: Any) -> Task:
    """The task; values of None are left at their defaults. Raises SettingsInvalid."""
    from pydantic import ValidationError

    from ..graph.schema import check_schema

    chosen = {name: value for name, value in given.items() if value is not None}
    if chosen.get("result") is not None:
        check_schema(chosen["result"])
    try:
        return Task.model_validate({
            "goal": goal, "inputs": inputs_from(input_sources(inputs), spool=home / "spool", sensitive=sensitive),
            "limits": {name: value for name, value in limits.items() if value is not None}, **chosen})
    except ValidationError as error:
        problems = "; ".join(f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors())
        raise SettingsInvalid(problems) from error
