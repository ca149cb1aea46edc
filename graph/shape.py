"""What a program delivered: one JSON value, from `final_answer` or from stdout, whole, safe and unambiguous.

What is checked is the text that came, and what is kept is that text: no number is rounded by reading it.
"""

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from .schema import SchemaInvalid, check_schema, validate_value
from .stop import StopReason

__all__ = ["Found", "SchemaInvalid", "check_schema", "find_delivery", "strict_value", "validate_value"]

MAX_OUTPUT_CHARS = 64 * 1024 * 1024
MAX_RESULT_CHARS = 5_000_000
MAX_DEPTH = 100
MAX_DIGITS = 4_000

_SCALAR = (r"(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|-?Infinity|NaN|true|false|null"
           r'|"[^"\\\x00-\x1f]*+(?:\\.[^"\\\x00-\x1f]*+){0,1000}")[ \t\r]*+')
_LONG_STRING = r'"(?:[^"\\\x00-\x1f]*+\\.){1001}'
# Of lines that are one scalar each only the last counts, so a run of them is one candidate. All groups are bounded, as the
# matcher keeps a state for each round. (A possessive one would keep none, but Python before 3.11.5 matches it wrongly,
# gh-106052.)
_CANDIDATE = re.compile(rf"^(?:(?P<scalars>{_SCALAR}$(?:\n{_SCALAR}$){{0,1000}})|(?=[{{\[]|{_LONG_STRING}))", re.M)
_LINE_END = re.compile(r"[ \t\r]*(?:\n|\Z)")
_BRACKETS = re.compile(r'\\.|["\[{\]}]', re.S)
_LONG_NUMBER = re.compile(rf"\d{{{MAX_DIGITS + 1},}}")
_MAYBE_ENDLESS = re.compile(r"NaN|Infinity|[eE]\+?\d{3}|\d{300}")
_LONE_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_REPR = re.compile(r"^\s*(?:[{\[(]\s*['(]|[{\[].*\b(?:np\.\w+\(|Timestamp\(|datetime\.|Decimal\(|None\b|True\b|False\b)"
                   r"|Timestamp\(|np\.\w+\(|array\(|None$|True$|False$|nan$|-?inf$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What was delivered. Either `value_json`, or `reason` with `problems` in words for the model."""

    value_json: str | None = None
    """The value as the JSON text that came; null when there is none, or none that may be used."""
    source: Literal["final_answer", "stdout", "none"] = "none"
    stray: bool = False
    """Whether stdout held other text beside the value that was taken from it."""
    reason: StopReason | None = None
    problems: list[str] = field(default_factory=list)
    hint: str = ""
    """For a value that turns out not to fit: what the output looks like instead."""


class _Unfit(Exception):
    """A JSON-like text that is no value to hand on."""

    def __init__(self, reason: StopReason, problem: str) -> None:
        super().__init__(problem)
        self.reason = reason


# The second one finds extents only: an int of a million digits takes minutes to make.
_DECODER = json.JSONDecoder()
_EXTENT = json.JSONDecoder(parse_int=len, parse_float=len)
_WINDOW = 4096
# No token but a string is longer, so a fault nearer to the end of a window may come from the cut.
_TOKEN = 32


@dataclass(slots=True)
class _Scan:
    """Where the last candidate of an output lies."""

    start: int = -1
    end: int = -1
    incomplete: bool = False
    too_deep: bool = False


def _container(text: str, start: int) -> tuple[int, bool]:
    """End of the object or array at `start` and True, or the place of its fault and False. The end of the text is a fault.

    A window that grows, since the decoder's error counts all lines before it. Raises RecursionError.
    """
    window = _WINDOW
    while True:
        piece = text[start:start + window]
        whole = start + window >= len(text)
        try:
            try:
                return start + _DECODER.raw_decode(piece)[1], True
            except json.JSONDecodeError:
                raise
            except ValueError:
                return start + _EXTENT.raw_decode(piece)[1], True
        except json.JSONDecodeError as error:
            reached = len(piece) if error.msg.startswith("Unterminated string") else error.pos
            if whole or reached < len(piece) - _TOKEN:
                return start + reached, False
        window *= 16


def _last_value(text: str) -> _Scan:
    """The last JSON value that begins a line and ends a line.

    A failed start costs the text up to the fault, and the next start may lie inside it. The sum of that work is
    bounded: past the bound the scan goes on behind the fault, which only an output made for it can notice.
    """
    scan = _Scan()
    work, allowed = 0, 4 * len(text) + 1_000_000
    stripped = len(text.rstrip())
    position = 0
    while (match := _CANDIDATE.search(text, position)) is not None:
        start = match.start()
        if match["scalars"]:
            scan.start, scan.end = text.rfind("\n", start, match.end() - 1) + 1, match.end()
            scan.start = max(scan.start, start)
            position = match.end()
            continue
        try:
            reached, complete = _container(text, start)
        except RecursionError:
            return _Scan(start=start, too_deep=True)
        if complete:
            ends = _LINE_END.match(text, reached)
            if ends:
                scan.start, scan.end = start, reached
            position = reached
        elif reached >= stripped:
            return _Scan(start=start, incomplete=True)
        else:
            work += reached - start
            position = start + 1 if work <= allowed else max(reached, start + 1)
    return scan


def _depth(text: str) -> int:
    depth = deepest = 0
    inside = False
    for match in _BRACKETS.finditer(text):
        char = match[0][0]
        if char == '"':
            inside = not inside
        elif inside or char == "\\":
            continue
        elif char in "[{":
            depth += 1
            if depth > deepest:
                deepest = depth
                if deepest > MAX_DEPTH:
                    break
        else:
            depth -= 1
    return deepest


def _paths(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every scalar with its path, such as `rows[3].paid`. The depth is bounded before."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _paths(item, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _paths(item, f"{path}[{index}]")
    else:
        yield path or "the value", value


def _endless(value: Any) -> list[str]:
    return [path for path, item in _paths(value) if isinstance(item, float) and not math.isfinite(item)]


def strict_value(text: str) -> Any:
    """The value of a JSON text that may be handed on. Raises _Unfit: too large, too deep, not finite, a key twice."""
    if len(text) > MAX_RESULT_CHARS:
        raise _Unfit(StopReason.OUTPUT_UNSAFE, f"the result has {len(text):,} characters; at most {MAX_RESULT_CHARS:,} "
                     "are handed on: deliver a summary and write the rest to a file below output/")
    if _depth(text) > MAX_DEPTH:
        raise _Unfit(StopReason.OUTPUT_UNSAFE, f"the result is nested deeper than {MAX_DEPTH} levels: make it flat")
    twice: list[str] = []

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) != len(pairs):
            seen: set[str] = set()
            twice.extend(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        return made

    if long := _LONG_NUMBER.search(text):
        raise _Unfit(StopReason.OUTPUT_UNSAFE, f"the result has {len(long[0]):,} digits in a row; at most {MAX_DIGITS:,} "
                     "are handed on: deliver such a number rounded")
    value = json.loads(text, object_pairs_hook=members)
    if twice:
        raise _Unfit(StopReason.SCHEMA_MISMATCH, f"the key {twice[0][:80]!r} occurs twice in one object: use each key once")
    endless = _endless(value) if _MAYBE_ENDLESS.search(text) else []
    if endless:
        named = ", ".join(endless[:5]) + (f" and {len(endless) - 5} more" if len(endless) > 5 else "")
        raise _Unfit(StopReason.SCHEMA_MISMATCH, f"not finite: {named}. NaN and Infinity (and numbers as large as 1e400) "
                     "are not JSON: find out why it is so, and deliver null where there is no value")
    if _LONE_SURROGATE.search(text):
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise _Unfit(StopReason.SCHEMA_MISMATCH, "a text in the result holds half a character (a lone surrogate), "
                         "which cannot be written as UTF-8") from None
    return value


def _kind(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return type(value).__name__
    return "number" if isinstance(value, int | float) else type(value).__name__


def _same(one: Any, other: Any) -> bool:
    """Equality of JSON: 1 equals 1.0, and true equals no number."""
    if _kind(one) != _kind(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


def find_delivery(stdout: bytes | str, delivered: str | None, *, strict: bool = False) -> Found:
    """The delivered value: what `final_answer` got, else the last JSON value that begins and ends a line of stdout.

    `stdout`: the full output. `delivered`: JSON text as `final_answer` received it, null when it was not called.
    `strict`: refuse other text beside a value on stdout. Time is linear in the output.
    """
    text = stdout.decode("utf-8", "replace") if isinstance(stdout, bytes) else stdout
    if delivered is not None:
        return _handed(text, delivered)
    if len(text) > MAX_OUTPUT_CHARS:
        return Found(reason=StopReason.OUTPUT_UNSAFE, problems=[
            f"stdout has {len(text):,} characters, too many to look for a result: print less, or call final_answer(value)"])
    return _printed(text, strict)


def _handed(text: str, delivered: str) -> Found:
    try:
        value = strict_value(delivered)
    except _Unfit as unfit:
        return Found(source="final_answer", reason=unfit.reason, problems=[f"in final_answer: {unfit}"])
    except (ValueError, RecursionError):
        return Found(source="final_answer", reason=StopReason.SCHEMA_MISMATCH,
                     problems=["what final_answer got is no JSON value"])
    printed = _printed(text, False) if len(text) <= MAX_OUTPUT_CHARS else Found()
    if printed.value_json is not None:
        other = strict_value(printed.value_json)
        # A bare number printed on the way to an object is progress, not a second answer.
        if _kind(other) == _kind(value) and not _same(value, other):
            return Found(source="final_answer", reason=StopReason.SCHEMA_MISMATCH, problems=[
                f"two different results: final_answer got {_short(delivered)}, and the last JSON value on stdout is "
                f"{_short(printed.value_json)}. Deliver once, with final_answer(value), and print other things as text"])
    return Found(value_json=delivered.strip(), source="final_answer", stray=bool(text.strip()))


def _printed(text: str, strict: bool) -> Found:
    if not text.strip("\ufeff \t\r\n\0"):
        return Found(reason=StopReason.NO_RESULT, problems=[
            "no result: nothing was printed and final_answer was not called"])
    scan = _last_value(text)
    rest = text[max(scan.end, 0):]
    last = next((line for line in reversed(rest.splitlines()[-200:]) if line.strip()), "")
    hint = ""
    if _REPR.search(last[:2000]):
        hint = ("The output ends with a Python value, which is no JSON: deliver it with final_answer(value), or "
                "print(json.dumps(value)) with float(), int() or .isoformat() around numpy and date values.")
    if scan.too_deep:
        return Found(reason=StopReason.OUTPUT_UNSAFE, problems=["the JSON on stdout is nested too deeply: make it flat"])
    if scan.incomplete:
        return Found(reason=StopReason.SCHEMA_MISMATCH, hint=hint, problems=[
            f"the JSON value that begins with {_short(text[scan.start:scan.start + 80])} is not complete: print it whole, "
            "with json.dumps, or call final_answer(value)"])
    if scan.end < 0:
        return Found(reason=StopReason.SCHEMA_MISMATCH, hint=hint, problems=[
            "no result: stdout holds text, but no JSON value that stands on lines of its own. "
            "Call final_answer(value), or print(json.dumps(value)) as the last line"])
    value_json = text[scan.start:scan.end].strip()
    stray = bool(text[:scan.start].strip() or rest.strip())
    try:
        strict_value(value_json)
    except _Unfit as unfit:
        return Found(source="stdout", stray=stray, reason=unfit.reason, problems=[str(unfit)], hint=hint)
    if strict and stray:
        return Found(source="stdout", stray=True, reason=StopReason.SCHEMA_MISMATCH, hint=hint, problems=[
            "stdout holds other text beside the result, which is refused here: print nothing but one JSON value, "
            "or call final_answer(value)"])
    return Found(value_json=value_json, source="stdout", stray=stray, hint=hint)


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 120 else f"{flat[:80]} … {flat[-20:]}"
