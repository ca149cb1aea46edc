"""What Semgrep says, read strictly: whatever is not a complete answer about the files given is a fault."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .errors import GateUnavailable


@dataclass(frozen=True, slots=True)
class Match:
    """One result of Semgrep. Lines and columns are 1-based, in the named file."""

    rule: str
    file: str
    line: int
    column: int
    end_line: int
    message: str


@dataclass(frozen=True, slots=True)
class Scan:
    """A complete answer. A file with a failure was not read whole, so that no finding in it means nothing."""

    matches: list[Match]
    scanned: list[str]
    failures: dict[str, str]
    """Name of a file → what Semgrep said."""

    def matches_in(self, file: str) -> list[Match]:
        """The results about one file."""
        return [match for match in self.matches if match.file == file]


def read_report(output: bytes) -> dict[str, Any]:
    """The JSON of Semgrep with its parts checked. It may hold bytes that are not UTF-8 (it quotes the source)."""
    try:
        report = json.loads(output.decode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        raise GateUnavailable(f"Semgrep did not answer in JSON ({error})") from error
    shape = (isinstance(report, dict) and isinstance(report.get("version"), str)
             and isinstance(report.get("results"), list) and isinstance(report.get("errors"), list)
             and isinstance(report.get("paths"), dict) and isinstance(report["paths"].get("scanned"), list))
    if not shape:
        raise GateUnavailable("Semgrep's answer lacks results, errors, version or the files it scanned")
    return report  # type: ignore[no-any-return]


def read_match(result: Any, paths: Mapping[str, str]) -> Match:
    try:
        return Match(rule=str(result["check_id"]), file=paths[result["path"]], line=int(result["start"]["line"]),
                     column=int(result["start"]["col"]), end_line=int(result["end"]["line"]),
                     message=str(result["extra"]["message"]))
    except (KeyError, TypeError, ValueError) as error:
        raise GateUnavailable(f"Semgrep's answer holds a result that cannot be read ({error!r})") from error


def place_of(error: Any) -> str | None:
    """The file an error is about: the core's `location.path`, the command line's `path`."""
    if not isinstance(error, dict):
        return None
    location = error.get("location")
    path = location.get("path") if isinstance(location, dict) else error.get("path")
    return path if isinstance(path, str) else None


def rule_of(entry: Any) -> str:
    return str(entry.get("rule_id", "?")) if isinstance(entry, dict) else "?"


def details_of(entry: Any) -> str:
    if not isinstance(entry, dict):
        return str(entry)[:300]
    text = str(entry.get("message") or entry.get("details") or entry)
    kind = entry.get("error_type") or entry.get("type") or ""
    return " ".join(f"{kind if isinstance(kind, str) else ''}: {text}".split())[:300].removeprefix(": ")

