"""Least privilege from the plan: what a program does that its own plan did not name."""

import fnmatch
from collections.abc import Sequence

from .verdict import Facts, Finding, Needs

_POWERLESS = frozenset({
    "__future__", "abc", "array", "bisect", "calendar", "cmath", "collections", "colorsys", "copy", "dataclasses",
    "datetime",
    "decimal", "difflib", "enum", "fractions", "functools", "graphlib", "heapq", "html", "itertools", "json",
    "keyword", "math",
    "numbers", "operator", "pprint", "re", "reprlib", "statistics", "string", "textwrap", "time", "typing",
    "unicodedata",
    "warnings",
})
"""Standard modules that reach nothing a program does not have anyway. A plan need not name them: to refuse a program for
`import math` would protect nobody."""


def plan_findings(facts: Facts, needs: Needs, known_files: Sequence[str] = ()) -> list[Finding]:
    """Denials where the facts exceed the plan. `known_files`: what earlier steps have written may be read."""
    findings: list[Finding] = []
    if needs.imports is not None:
        planned = {module.split(".")[0] for module in needs.imports}
        for module in facts.imports:
            if module.split(".")[0] not in planned | _POWERLESS:
                findings.append(_beyond("plan-import", f"imports {module}", "imports", needs.imports))
    if needs.inputs is not None:
        readable = [*needs.inputs, *known_files, *facts.writes, *(needs.outputs or []),
                    *(f"output/{name}" for name in needs.outputs or [] if "/" not in name)]
        findings += [_beyond("plan-input", f"reads {name}", "inputs", needs.inputs) for name in facts.reads
                     if not _covered(name, readable)]
    if needs.outputs is not None:
        declared = [*needs.outputs, *(f"output/{name}" for name in needs.outputs if "/" not in name)]
        findings += [_beyond("plan-output", f"writes {name}", "outputs", needs.outputs) if _delivered(name)
                     else _scratch(name) for name in facts.writes if not _covered(name, declared)]
    if needs.tools is not None:
        findings += [_beyond("plan-tool", f"calls tools.{name}", "tools", needs.tools) for name in facts.tools
                     if name not in needs.tools]
    return findings


def _covered(name: str, declared: Sequence[str]) -> bool:
    """Whether a path is a declared one, lies below a declared folder, is a folder above one, or fits a pattern."""
    plain = name.removeprefix("./").rstrip("/") or "."
    for entry in declared:
        own = entry.removeprefix("./").rstrip("/")
        if plain == own or plain.startswith(own + "/") or own.startswith(plain + "/") or fnmatch.fnmatchcase(plain,
                                                                                                             own):
            return True
    return plain == "." and bool(declared)


def _delivered(name: str) -> bool:
    """Only what lies below `output/` is handed on; the rest of the workspace is the program's own scratch space."""
    return name.removeprefix("./").startswith("output/")


def _scratch(name: str) -> Finding:
    return Finding(rule="plan-scratch", severity="INFO", line=0,
                   message=f"The program writes {name}, which its plan does not name; it stays in the workspace.")


def _beyond(rule: str, does: str, what: str, named: Sequence[str]) -> Finding:
    listed = ", ".join(named) or "none"
    return Finding(rule=rule, severity="ERROR", line=0, message=f"The program {does}, which its plan does not name "
                   f"(planned {what}: {listed}).", fix=f"Do without it, or keep to the planned {what}.")
