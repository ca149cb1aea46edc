"""Files that an operator names: programs, schemas, profiles, rules, recordings. Each is read whole or refused in a sentence.

Refused before they can do harm: what is no regular file (opening a named pipe waits for a writer, a device never ends), what
is too large, what is not UTF-8, and data that unfolds: a few lines of YAML aliases stand for billions of nodes.
"""

import json
import os
import stat
import tomllib
from pathlib import Path
from typing import Any

import yaml

MOST_BYTES = 16 << 20
"""No text that a person writes for fumehood is larger."""
MOST_NODES = 200_000
"""Values of a YAML document, each alias counted as what it stands for."""
MOST_DEPTH = 64
_TOO_DEEP = f"it is nested more than {MOST_DEPTH} deep"
# libyaml reads the shipped rules in 30 ms, PyYAML's own parser in 250; every start waits for it.
_TEXT, _LIST, _TABLE = (f"tag:yaml.org,2002:{kind}" for kind in ("str", "seq", "map"))
_LOADER: type[yaml.SafeLoader] | type[yaml.CSafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_KINDS = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a named pipe", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device",
          stat.S_IFSOCK: "a socket"}


class Unreadable(ValueError):
    """The file cannot be taken. `str()` is a sentence that begins with its path and says what to do."""


def read_file(path: Path, *, most: int = MOST_BYTES) -> bytes:
    """The bytes of a regular file. Raises Unreadable."""
    try:
        # O_NONBLOCK: or opening a named pipe waits for somebody to write to it.
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    except (OSError, ValueError) as error:
        raise Unreadable(f"{path}: {getattr(error, 'strerror', None) or error}; check the path") from error
    kind = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(kind):
        os.close(descriptor)
        raise Unreadable(f"{path} is {_KINDS.get(stat.S_IFMT(kind), 'no file')}; name a file")
    with os.fdopen(descriptor, "rb") as handle:
        try:
            data = handle.read(most + 1)
        except OSError as error:
            raise Unreadable(f"{path}: {error.strerror or error}; check the file") from error
    if len(data) > most:
        raise Unreadable(f"{path} is larger than {most:,} bytes, the most that is read; is it the right file?")
    return data


def as_text(data: bytes, name: object) -> str:
    """UTF-8 as text. Raises Unreadable with the first byte that is none."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable(f"{name} is not UTF-8 (byte {data[error.start]:#04x} at offset {error.start}); "
                         "save it as UTF-8") from error


def read_text(path: Path, *, most: int = MOST_BYTES) -> str:
    """The text of a regular UTF-8 file. Raises Unreadable."""
    return as_text(read_file(path, most=most), path)


def parse_json(text: str) -> Any:
    """The value of a JSON text, nested no deeper than what reads it can follow. Raises ValueError in a sentence."""
    try:
        return _shallow(json.loads(text))
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None


def parse_toml(text: str) -> dict[str, Any]:
    """The table of a TOML text. Raises ValueError in a sentence."""
    try:
        table: dict[str, Any] = _shallow(tomllib.loads(text))
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    return table


def parse_yaml(text: str) -> Any:
    """The one document of a YAML text, plain types only. Raises ValueError in a sentence."""
    try:
        loader = _LOADER(text)
        try:
            node = loader.get_single_node()
            if node is None:
                return None
            if "&" in text and _unfolded(node, {}) > MOST_NODES:  # without an anchor there is no alias
                raise ValueError(f"it unfolds to more than {MOST_NODES:,} values: write less, or without aliases")
            return _shallow(_built(loader, node, {}))
        finally:
            loader.dispose()
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from error
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None


def _shallow(value: Any) -> Any:
    """The value itself, where it is not nested too deeply."""
    level = [value]
    for _ in range(MOST_DEPTH + 1):
        level = [item for item in level if isinstance(item, dict | list)]
        if not level:
            return value
        level = [part for item in level for part in (item.values() if isinstance(item, dict) else item)]
    raise ValueError(_TOO_DEEP)


def _unfolded(node: Any, known: dict[int, int | None]) -> int:
    """Nodes below this one, aliases followed; each node is counted once and looked up after. None: still being counted."""
    if id(node) in known:
        size = known[id(node)]
        if size is None:
            raise ValueError("it holds itself: an alias stands inside of what it names")
        return size
    known[id(node)] = None
    parts: list[Any] = []
    if isinstance(node, yaml.MappingNode):
        parts = [part for pair in node.value for part in pair]
    elif isinstance(node, yaml.SequenceNode):
        parts = node.value
    total = 1 + sum(_unfolded(part, known) for part in parts)
    known[id(node)] = total
    return total


def _built(loader: Any, node: Any, known: dict[int, Any]) -> Any:
    """The value of a node: text, lists and tables of them at once, which is a third of PyYAML's time; the rest (merged
    tables, other keys than text, numbers, dates) by PyYAML."""
    if node.tag == _TEXT:
        return node.value
    if id(node) not in known:
        if isinstance(node, yaml.SequenceNode) and node.tag == _LIST:
            known[id(node)] = [_built(loader, part, known) for part in node.value]
        elif isinstance(node, yaml.MappingNode) and node.tag == _TABLE and all(key.tag == _TEXT for key, _ in node.value):
            known[id(node)] = {key.value: _built(loader, value, known) for key, value in node.value}
        else:
            known[id(node)] = loader.construct_document(node)
    return known[id(node)]
