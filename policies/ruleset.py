"""Rule files: read once, checked for everything that would make a rule match nothing without a word.

Semgrep answers "no findings" and exit 0 for an empty rule list, a rule for another language, a `min-version` above its
own, a `paths` filter, a metavariable-regex on a metavariable that no pattern binds, and a regex that forgets that it is
anchored at its start only. Each of these is an error here.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from .errors import PolicyInvalid
from .reading import Unreadable, parse_yaml, read_text
from .verdict import Severity, sha256_json

SHIPPED_RULES = Path(__file__).with_name("rules")
"""Folder of the rules that come with the package, one YAML file each."""


_SEARCH = ("pattern", "patterns", "pattern-either", "pattern-regex")
_TAINT = {"pattern-sources", "pattern-sinks", "pattern-sanitizers", "pattern-propagators"}
_KNOWN = {"id", "languages", "severity", "message", "metadata", "fix", "mode", "options", *_SEARCH, *_TAINT}
_SILENT = {"paths": "it leaves files out of the scan",
           "min-version": "an older Semgrep skips the rule without an error",
           "max-version": "a newer Semgrep skips the rule without an error"}
_NEGATIVE = ("pattern-not", "pattern-not-inside", "pattern-not-regex", "metavariable-", "focus-metavariable")
_METAVARIABLE = re.compile(r"\$(?:\.\.\.)?([A-Z_][A-Z_0-9]*)")
_GROUP = re.compile(r"\(\?P?<([A-Za-z_]\w*)>")
_REGISTRY = re.compile(r"(?:[prs]/[\w.@/-]+|auto|https?:/.*)")
_RULE_ID = re.compile(r"[A-Za-z][\w.-]*")


class Rule(BaseModel):
    """One Semgrep rule as it is enforced."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    severity: Severity
    """ERROR denies, WARNING asks a person, INFO is noted."""
    message: str
    fix: str = ""
    """What to write instead; from the rule's metadata."""
    file: str
    """Absolute path of the YAML file."""
    definition: dict[str, Any]
    """The rule as Semgrep reads it."""

    @property
    def sha256(self) -> str:
        """Digest of the definition: what the rule means, wherever its file lies."""
        return sha256_json(self.definition)


def find_rule_files(source: Path) -> list[Path]:
    """YAML files of a rule source: the file itself, or every *.yml and *.yaml below a folder. Raises PolicyInvalid."""
    if _REGISTRY.fullmatch(str(source)) and not source.exists():
        raise PolicyInvalid(f"{source}: rules from a registry or an address are not taken, because they can change "
                            "without a review; save them to a folder and name that folder")
    if not source.exists():
        raise PolicyInvalid(f"{source}: no such rule file or folder")
    if source.is_file():
        return [source]
    files = sorted(path for path in source.rglob("*") if path.suffix in {".yml", ".yaml"} and path.is_file())
    if not files:
        raise PolicyInvalid(f"{source}: no rules in this folder (looked for *.yml and *.yaml)")
    return files


def load_rules(sources: Sequence[Path]) -> list[Rule]:
    """All rules of all sources, sorted by id. Raises PolicyInvalid for the first thing that is wrong."""
    rules: dict[str, Rule] = {}
    for path in dict.fromkeys(file.resolve() for source in sources for file in find_rule_files(source)):
        for rule in read_rule_file(path):
            if rule.id in rules:
                raise PolicyInvalid(f"{path}: rule {rule.id} is defined twice, also in {rules[rule.id].file}; "
                                    "rename one")
            rules[rule.id] = rule
    if not rules:
        raise PolicyInvalid("the policy has no rules at all; a gate without rules would allow everything")
    return [rules[name] for name in sorted(rules)]


def read_rule_file(path: Path) -> list[Rule]:
    """The rules of one file. Raises PolicyInvalid."""
    try:
        document = parse_yaml(read_text(path))
    except Unreadable as error:
        raise PolicyInvalid(str(error)) from error
    except ValueError as error:
        raise PolicyInvalid(f"{path}: cannot be read as YAML: {error}") from error
    if not isinstance(document, dict) or set(document) != {"rules"} or not isinstance(document["rules"], list):
        raise PolicyInvalid(f"{path}: a rule file has one key, `rules`, with a list of rules")
    if not document["rules"]:
        raise PolicyInvalid(f"{path}: the list of rules is empty")
    return [_rule(path, entry) for entry in document["rules"]]


def _rule(path: Path, entry: Any) -> Rule:
    if not isinstance(entry, dict) or not isinstance(entry.get("id"), str) or not _RULE_ID.fullmatch(entry["id"]):
        raise PolicyInvalid(f"{path}: every rule needs an id of letters, digits, `-`, `_`, `.` "
                            "(quote ids such as y or n: YAML reads them as booleans)")
    where = f"{path}: rule {entry['id']}"
    for key in entry:
        if key in _SILENT:
            raise PolicyInvalid(f"{where}: `{key}` may not be used here: {_SILENT[key]}")
        if key not in _KNOWN:
            raise PolicyInvalid(f"{where}: unknown key `{key}`")
    if entry.get("languages") not in (["python"], ["py"], ["python3"]):
        raise PolicyInvalid(f"{where}: languages must be [python]; programs are Python")
    if entry.get("severity") not in ("ERROR", "WARNING", "INFO"):
        raise PolicyInvalid(f"{where}: severity must be ERROR (denies), WARNING (asks a person) or INFO (is noted)")
    if not isinstance(entry.get("message"), str) or not entry["message"].strip():
        raise PolicyInvalid(f"{where}: a message is needed: the reason, and the way out")
    _check_matching(where, entry)
    metadata = entry.get("metadata", {})
    if not isinstance(metadata, dict):
        raise PolicyInvalid(f"{where}: metadata must be a table of names and values")
    try:
        return Rule(id=entry["id"], severity=entry["severity"], message=" ".join(entry["message"].split()),
                    fix=str(metadata.get("fix", "")), file=str(path), definition=_plain(where, entry))
    except ValueError as error:
        raise PolicyInvalid(f"{where}: {error}") from error


def _plain(where: str, value: Any) -> Any:
    """YAML dates and other typed scalars as text, so that the definition is JSON."""
    if isinstance(value, dict):
        return {str(key): _plain(where, item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(where, item) for item in value]
    return value if value is None or isinstance(value, (str, int, float, bool)) else str(value)


def _check_matching(where: str, entry: dict[str, Any]) -> None:
    mode = entry.get("mode", "search")
    if mode == "taint":
        if not (entry.get("pattern-sources") and entry.get("pattern-sinks")) or any(key in entry for key in _SEARCH):
            raise PolicyInvalid(f"{where}: a taint rule has pattern-sources and pattern-sinks and no other pattern")
        for key in sorted(_TAINT & set(entry)):
            _check_children(where, key, entry[key], frozenset())
        return
    if mode != "search":
        raise PolicyInvalid(f"{where}: mode must be search or taint")
    present = [key for key in _SEARCH if key in entry]
    if len(present) != 1 or _TAINT & set(entry):
        raise PolicyInvalid(f"{where}: a rule has exactly one of {', '.join(_SEARCH)}")
    _check_node(where, {present[0]: entry[present[0]]}, frozenset())


def _check_children(where: str, key: str, children: Any, bound: frozenset[str]) -> None:
    if not isinstance(children, list) or not children or not all(isinstance(child, dict) for child in children):
        raise PolicyInvalid(f"{where}: {key} must be a list of patterns, not empty")
    for child in children:
        _check_node(where, child, bound)


def _check_node(where: str, node: dict[str, Any], bound: frozenset[str]) -> None:
    """Checks one pattern operator and all below it; `bound` are metavariables that its surroundings bind."""
    for key, value in node.items():
        if key == "patterns":
            _check_children(where, key, value, bound | _bound_by({key: value}))
            if not any(_positive(child) for child in value):
                raise PolicyInvalid(f"{where}: `patterns` without a positive pattern matches nothing")
        elif key == "pattern-either":
            _check_children(where, key, value, bound)
        elif key.startswith("pattern") and isinstance(value, dict):
            _check_node(where, value, bound)
        elif key == "pattern-regex" or key == "pattern-not-regex":
            _compile(where, key, value)
        elif key.startswith("pattern"):
            if not isinstance(value, str) or not value.strip():
                raise PolicyInvalid(f"{where}: {key} must be text")
        elif key.startswith("metavariable-"):
            _check_metavariable(where, key, value, bound)


def _check_metavariable(where: str, key: str, value: Any, bound: frozenset[str]) -> None:
    if not isinstance(value, dict):
        raise PolicyInvalid(f"{where}: {key} must be a table")
    names = [value["metavariable"]] if "metavariable" in value else []
    if key == "metavariable-comparison":
        names += [f"${name}" for name in _METAVARIABLE.findall(str(value.get("comparison", "")))]
    if not names:
        raise PolicyInvalid(f"{where}: {key} needs a metavariable")
    for name in names:
        if str(name).removeprefix("$...").removeprefix("$") not in bound:
            raise PolicyInvalid(f"{where}: {key} tests {name}, which no pattern beside it binds in every branch; "
                                "it would match nothing")
    if key == "metavariable-regex":
        text = value.get("regex")
        _compile(where, key, text)
        if not (re.match(r"(?:\(\?[a-z]+\))?\^", str(text)) and str(text).endswith("$")):
            raise PolicyInvalid(f"{where}: the regex on {names[0]} must begin with ^ and end with $: Semgrep anchors the "
                                "start only, so it would match prefixes, and never the middle")


def _compile(where: str, key: str, text: Any) -> None:
    if not isinstance(text, str) or not text:
        raise PolicyInvalid(f"{where}: {key} needs a regex")
    try:
        re.compile(text)
    except re.error as error:
        raise PolicyInvalid(f"{where}: the regex {text!r} does not compile: {error}") from error


def _positive(node: dict[str, Any]) -> bool:
    return any(not key.startswith(_NEGATIVE) for key in node)


def _bound_by(node: dict[str, Any]) -> frozenset[str]:
    """Metavariables that a match of this operator certainly binds. A branch of an `either` that does not, drops out."""
    names: set[str] = set()
    for key, value in node.items():
        if key == "pattern-regex":
            names |= set(_GROUP.findall(str(value))) | {str(number) for number in range(1, 10)}
        elif key in {"pattern", "pattern-inside"} and isinstance(value, str):
            names |= set(_METAVARIABLE.findall(value))
        elif key == "pattern-either" and isinstance(value, list):
            branches = [_bound_by(child) for child in value if isinstance(child, dict)]
            names |= frozenset.intersection(*branches) if branches else frozenset()
        elif key in {"patterns", "pattern-inside"}:
            for child in _children(value):
                names |= _bound_by(child)
    return frozenset(names)


def _children(value: Any) -> Iterator[dict[str, Any]]:
    for child in value if isinstance(value, list) else [value]:
        if isinstance(child, dict):
            yield child
