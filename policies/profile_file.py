"""Profile files: TOML, found by name or path, extended by other files, with the line of every import entry.

An operator's file says `extends = "data-analysis"` (or a path beside it). Its plain keys replace, its tables
(`limits_ceiling`, `kinds`, …) merge key by key, `[add]` and `[remove]` change lists entry by entry (`[remove]`
takes keys out of a table too). `rules` are files or folders relative to the file; the word "shipped" stands for the
rules of the package.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import PolicyInvalid, PolicyUnreadable
from .reading import Unreadable, parse_toml, read_text
from .ruleset import SHIPPED_RULES

SHIPPED_PROFILES = Path(__file__).with_name("profiles")
"""Folder of the profiles that come with the package."""

_RESERVED = {"source", "rule_set", "lines", "sha256", "remove_rules"}
_DEPTH = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedProfile:
    """A profile with all that it extends, not yet checked against the policy's fields."""

    values: dict[str, Any]
    source: str
    rule_sources: list[Path]
    lines: dict[str, str]


def shipped_profiles() -> list[str]:
    """Names of the profiles that come with the package."""
    return sorted(path.stem for path in SHIPPED_PROFILES.glob("*.toml"))


def find_profile(name_or_path: str, extended_by: Path | None = None) -> Path:
    """The file of a profile: a shipped name, else a path, relative to the file that extends it. Raises PolicyInvalid."""
    if name_or_path in shipped_profiles():
        return SHIPPED_PROFILES / f"{name_or_path}.toml"
    path = Path(name_or_path).expanduser()
    path = extended_by.parent / path if extended_by else path
    if not path.is_file():
        where = f"{extended_by}: extends: " if extended_by else ""
        raise PolicyUnreadable(f"{where}no policy {name_or_path!r}: neither a shipped profile "
                               f"({', '.join(shipped_profiles())}) nor a TOML file")
    return path.resolve()


def merge_profiles(name_or_path: str, seen: tuple[Path, ...] = ()) -> MergedProfile:
    """Reads a profile and what it extends, the extended one first. `seen`: who extends it. Raises PolicyInvalid."""
    path = find_profile(name_or_path, seen[-1] if seen else None)
    if path in seen or len(seen) >= _DEPTH:
        raise PolicyInvalid(f"{path}: profiles extend each other in a circle, or more than {_DEPTH} deep")
    values, text = read_profile(path)
    reserved = sorted(_RESERVED & set(values))
    if reserved:
        raise PolicyInvalid(f"{path}: unknown key `{reserved[0]}`")
    extends = values.pop("extends", None)
    changes = {word: values.pop(word, {}) for word in ("add", "remove")}
    sources = _rule_sources(path, values.pop("rules", []))
    lines = _entry_lines(path, text)
    if extends is None:
        if any(changes.values()):
            raise PolicyInvalid(f"{path}: [add] and [remove] need `extends`, the profile to change")
        values.setdefault("name", path.stem)
        return MergedProfile(values=values, source=str(path), rule_sources=sources, lines=lines)
    if not isinstance(extends, str):
        raise PolicyInvalid(f"{path}: `extends` must be the name or path of one profile")
    under = merge_profiles(extends, (*seen, path))
    merged = {**under.values, "name": path.stem}
    for key, value in values.items():
        old = merged.get(key)
        merged[key] = {**old, **value} if isinstance(old, dict) and isinstance(value, dict) else value
    sources = [*under.rule_sources, *sources, *_apply(path, merged, changes)]
    return MergedProfile(values=merged, source=str(path), rule_sources=sources, lines={**under.lines, **lines})


def read_profile(path: Path) -> tuple[dict[str, Any], str]:
    """The table of one profile file, and its text. Raises PolicyUnreadable."""
    try:
        text = read_text(path)
        return parse_toml(text), text
    except Unreadable as error:
        raise PolicyUnreadable(str(error)) from error
    except ValueError as error:
        raise PolicyUnreadable(f"{path}: cannot be read as TOML: {error}") from error


def _rule_sources(path: Path, entries: Any) -> list[Path]:
    if not isinstance(entries, list) or not all(isinstance(entry, str) and entry for entry in entries):
        raise PolicyInvalid(f"{path}: `rules` must be a list of files and folders")
    sources = []
    for entry in entries:
        local = path.parent / Path(entry).expanduser()
        sources.append(SHIPPED_RULES if entry == "shipped" else local if local.exists() else Path(entry))
    return sources


def _apply(path: Path, merged: dict[str, Any], changes: dict[str, Any]) -> list[Path]:
    """Carries out [add] and [remove] on the lists of `merged`; gives the rule sources that were added."""
    sources: list[Path] = []
    for word, change in changes.items():
        if not isinstance(change, dict):
            raise PolicyInvalid(f"{path}: [{word}] must be a table of lists")
        for key, entries in change.items():
            if not isinstance(entries, list) or not all(isinstance(entry, str) for entry in entries):
                raise PolicyInvalid(f"{path}: {word}.{key} must be a list of texts")
            if key == "rules":
                if word == "add":
                    sources += _rule_sources(path, entries)
                else:
                    merged["remove_rules"] = [*merged.get("remove_rules", []), *entries]
                continue
            old = merged.get(key, [])
            if not isinstance(old, list) and (word == "add" or not isinstance(old, dict)):
                raise PolicyInvalid(f"{path}: {word}.{key}: `{key}` is not a list")
            absent = sorted(set(entries) - set(old))
            if word == "remove" and absent:
                raise PolicyInvalid(f"{path}: remove.{key} names what is not there: {', '.join(absent)}")
            if isinstance(old, dict):
                merged[key] = {name: value for name, value in old.items() if name not in entries}
            elif word == "remove":
                merged[key] = [entry for entry in old if entry not in entries]
            else:
                merged[key] = [*old, *(entry for entry in entries if entry not in old)]
    return sources


def _entry_lines(path: Path, text: str) -> dict[str, str]:
    """Import entry → `file:line`. tomllib keeps no positions, so the lists named `imports` are read line by line."""
    lines: dict[str, str] = {}
    inside = False
    for number, line in enumerate(text.split("\n"), 1):
        if re.match(r"\s*imports\s*=", line):
            inside = True
        if not inside:
            continue
        uncommented = re.sub(r"#[^\"']*$", "", line) if line.strip()[:1] != "#" else ""
        for entry in re.findall(r"[\"']([\w.]+(?:\.\*)?)[\"']", uncommented.split("#")[0]):
            lines.setdefault(entry, f"{path}:{number}")
        if "]" in uncommented.split("#")[0]:
            inside = False
    return lines
