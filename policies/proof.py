"""The start-up proof: this Semgrep, with these rules, finds what was planted and passes what is clean.

Undocumented flags and a rule that silently matches nothing look exactly like a clean program. So before the first
verdict each rule's canary (`metadata.canary`, code that the rule must report) is scanned, and the gate does not judge
unless every one fires. A proof holds for one Semgrep and one set of rules, and is kept on disk under their digest.
"""

import contextlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .canonical import SENTINEL, CannotLower, canonicalise
from .core import CANONICAL, ORIGINAL, Binary
from .errors import GateUnavailable
from .profile import Policy
from .ruleset import Rule
from .semgrep import CLEAN, NotScannable, Scanner
from .source import parse_program
from .verdict import Finding, sha256_json

_AT_ONCE = 100
_LONG = "pass\n" * 20_000
"""More than a pipe holds."""
_FORM = 3
"""Raised when what is proven changes, so that old proofs are not taken for new ones."""


def proof_key(binary: Binary, policy: Policy) -> str:
    """Digest of all that a proof depends on."""
    return sha256_json([_FORM, binary.identity, [[rule.id, rule.sha256] for rule in policy.rule_set]])


def read_proof(home: Path | None, key: str) -> bool | None:
    """Whether the core is proven (true) or only the command line (false); null without a proof."""
    if home is None:
        return None
    try:
        kept = json.loads((home / "gate" / f"{key}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return kept["core"] if isinstance(kept, dict) and isinstance(kept.get("core"), bool) else None


def keep_proof(home: Path | None, key: str, *, core: bool) -> None:
    """Writes the proof down. A home that cannot be written only costs the next start its proof."""
    if home is None:
        return
    place = home / "gate" / f"{key}.json"
    part = place.with_suffix(f".{os.getpid()}.part")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps({"core": core}), encoding="utf-8")
        os.replace(part, place)
    except OSError:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def forget_proof(home: Path | None, key: str) -> None:
    """Removes a proof that the scanner's behaviour has refuted."""
    if home is not None:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            (home / "gate" / f"{key}.json").unlink()


def prove(scanner: Scanner, policy: Policy) -> None:
    """Scans the clean program and all canaries, each in a file of its own. Raises GateUnavailable saying what failed."""
    try:
        clean = scanner.scan(CLEAN)
    except NotScannable as error:
        raise GateUnavailable(f"Semgrep cannot scan an empty program: {error}") from error
    if [match.rule for match in clean.matches] != [SENTINEL]:
        found = [match.rule for match in clean.matches if match.rule != SENTINEL]
        raise GateUnavailable(f"the rule {found[0]} matches a program that does nothing; correct it" if found else
                              "Semgrep reports a scan without the planted call: it scans nothing")
    _prove_waiting(scanner)
    planted = [(rule, canary) for rule in policy.rule_set if (canary := _canary(rule.definition))]
    for start in range(0, len(planted), _AT_ONCE):
        _prove_rules(scanner, planted[start:start + _AT_ONCE])


def _prove_waiting(scanner: Scanner) -> None:
    """A scan that is begun before its files are there reads both of them, to their ends."""
    scanning = scanner.begin()
    scanning.give(ORIGINAL, f"{_LONG}{CLEAN[CANONICAL]}")
    scanning.give(CANONICAL, f"{_LONG}{CLEAN[CANONICAL]}")
    try:
        scan = scanning.result()
    except NotScannable as error:
        raise GateUnavailable(f"Semgrep cannot scan an empty program: {error}") from error
    found = {(match.file, match.rule, match.line) for match in scan.matches}
    if found != {(name, SENTINEL, _LONG.count("\n") + 2) for name in (ORIGINAL, CANONICAL)}:
        raise GateUnavailable(f"Semgrep does not read what it is given while it waits: {sorted(found)}")


def _prove_rules(scanner: Scanner, planted: Sequence[tuple[Rule, str]]) -> None:
    """Each canary is scanned as programs are: as written, and in its canonical form. It must be found in one of them."""
    files = {f"{rule.id}/{CANONICAL}": _scanned(rule.id, canary) for rule, canary in planted}
    originals = {f"{rule.id}/{ORIGINAL}": canary for rule, canary in planted}
    try:
        scan = scanner.scan(files | originals)
    except NotScannable as error:
        raise GateUnavailable(f"a rule's canary cannot be scanned: {error}") from error
    fired = {(match.file, match.rule) for match in scan.matches}
    for rule, _ in planted:
        name = f"{rule.id}/{CANONICAL}"
        if name in scan.failures or (name, SENTINEL) not in fired:
            why = scan.failures.get(name, "it was not read to its end")
            raise GateUnavailable(f"the canary of rule {rule.id} cannot be scanned: {why} ({rule.file})")
        if not {(name, rule.id), (f"{rule.id}/{ORIGINAL}", rule.id)} & fired:
            raise GateUnavailable(f"the rule {rule.id} does not find its own canary; correct one of them ({rule.file})")


def _canary(definition: dict[str, Any]) -> str:
    canary = definition.get("metadata", {}).get("canary", "")
    return canary if isinstance(canary, str) else ""


def _scanned(rule: str, canary: str) -> str:
    """A canary in the form in which programs are scanned."""
    tree = parse_program(canary)
    if isinstance(tree, Finding):
        raise GateUnavailable(f"the canary of rule {rule} is not Python: {tree.message}")
    try:
        return canonicalise(tree).text
    except CannotLower as error:
        raise GateUnavailable(f"the canary of rule {rule} cannot be scanned: {error}") from error
