"""From the words of a command line to a Task."""

import json
import sys
from pathlib import Path
from typing import Any

from ..graph.errors import SettingsInvalid
from ..graph.task import Task, inputs_from


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
        schema = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SettingsInvalid(f"--schema {path}: {error}") from error
    if not isinstance(schema, dict):
        raise SettingsInvalid(f"--schema {path}: a JSON Schema is an object here, not {type(schema).__name__}")
    return schema


def read_text(value: str | None) -> str:
    """The text itself, or a file's content for `@FILE`."""
    if not value or not value.startswith("@"):
        return value or ""
    try:
        return Path(value[1:]).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsInvalid(f"{value}: {error}") from error


def read_program(path: Path) -> str:
    """A program's text; `-` is standard input. Raises SettingsInvalid for what is no UTF-8; the gate judges the rest."""
    try:
        raw = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
        return raw.decode("utf-8")
    except OSError as error:
        raise SettingsInvalid(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise SettingsInvalid(f"{path} is not UTF-8 (byte {raw[error.start]:#04x} at offset {error.start}); "
                              "save it as UTF-8") from error


def make_task(*, goal: str, home: Path, inputs: list[str], limits: dict[str, float | None],
              **given: Any) -> Task:
    """The task; values of None are left at their defaults. Raises SettingsInvalid."""
    from pydantic import ValidationError

    from ..graph.schema import check_schema

    chosen = {name: value for name, value in given.items() if value is not None}
    if chosen.get("result") is not None:
        check_schema(chosen["result"])
    try:
        return Task.model_validate({
            "goal": goal, "inputs": inputs_from(input_sources(inputs), spool=home / "spool"),
            "limits": {name: value for name, value in limits.items() if value is not None}, **chosen})
    except ValidationError as error:
        problems = "; ".join(f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors())
        raise SettingsInvalid(problems) from error
