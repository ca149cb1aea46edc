"""Data that can be written down anywhere and read back unchanged: in a checkpoint, a database, JSON, a terminal."""

import json
import re
import unicodedata
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, PlainSerializer, SerializationInfo

_SURROGATE = re.compile("[\ud800-\udfff]")
_KEPT = {"\n", "\t"}
MAX_INT = 2**63 - 1
"""Largest integer of msgpack, SQLite and PostgreSQL alike."""


def plain_text(text: str) -> str:
    """Text with each lone surrogate replaced by U+FFFD: no encoding can hold one."""
    return _SURROGATE.sub("\ufffd", text)


def _plain_or_other(value: Any) -> Any:
    return plain_text(value) if isinstance(value, str) else value


def bounded_int(value: Any) -> Any:
    """An integer cut to 64 bits, for counts that others report. Anything else as it is."""
    if isinstance(value, int) and not isinstance(value, bool):
        return max(-MAX_INT - 1, min(value, MAX_INT))
    return value


def printable(text: str) -> str:
    """Text that shows what it holds: control, format and undecodable characters as escapes; none acts on a terminal."""
    return "".join(sign if sign in _KEPT or unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
                   else sign.encode("unicode_escape").decode("ascii") for sign in text)


def _from_text(value: Any) -> Any:
    if isinstance(value, str):
        return json.loads(value)
    try:
        return json.loads(plain_text(json.dumps(value, ensure_ascii=False, allow_nan=False)))
    except (TypeError, RecursionError) as error:
        raise ValueError(f"it is no JSON ({error})") from error


def _to_text(value: dict[str, Any], info: SerializationInfo) -> Any:
    return value if info.mode == "json" else json.dumps(value)


PlainText = Annotated[str, BeforeValidator(_plain_or_other)]
"""Text from outside, lone surrogates replaced."""

def _no_surrogates(text: str) -> str:
    if plain_text(text) != text:
        raise ValueError("it holds lone surrogates, which no source file can hold; write them as escapes")
    return text


SourceText = Annotated[str, AfterValidator(_no_surrogates)]
"""A program's text. A lone surrogate is refused: replaced, the program would be another one."""

Count = Annotated[int, BeforeValidator(bounded_int)]
"""A number that others report, cut to 64 bits."""

JsonObject = Annotated[dict[str, Any], BeforeValidator(_from_text), PlainSerializer(_to_text)]
"""A JSON object that a checkpoint holds as JSON text: msgpack has no integers beyond 64 bits and no lone surrogates.

`model_dump()` gives the text, `model_dump(mode="json")` the object.
"""
