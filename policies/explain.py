"""Verdicts for people: where the program says what, and what it can do that the last one could not."""

from collections.abc import Sequence

from .verdict import Facts, Finding, Verdict

_WIDTH = 160
_GENERAL = frozenset({"no-reexported-modules", "no-private-modules", "no-other-os", "no-other-sys", "no-other-shutil",
                      "no-builtins", "no-dunders", "no-spelled-names"})
"""Rules that say the least of what they find; where another denial stands on the line, that one is enough."""
_SAME = {
    "query-expression": {"no-query-names", "no-pandas-eval"},
    "computed-getattr": {"no-computed-getattr", "no-named-getattr"},
    "format-template": {"no-format-on-variables", "no-format-fields"}, "unpickling": {"no-allow-pickle", "no-read-pickle"},
    "denied-name": {"no-eval", "no-exec", "no-compile", "no-namespaces", "no-setattr", "no-dunder-import", "no-stdin"},
    "denied-module-part": {"denied-attribute", "no-test-runners", "no-host-identity"},
}
"""A finding of the walk → findings of others on the same line that say the same."""


def explain(program: str, findings: Sequence[Finding]) -> str:
    """The findings, each with its line of the program, a caret under the place, the reason and the way out."""
    lines = program.split("\n")
    return "\n".join(_finding(lines, finding) for finding in worth_saying(program, findings))


def places(program: str, findings: Sequence[Finding]) -> str:
    """The same in one line: `line 3 (denied-name), line 4 (no-shell, no-subprocess)`."""
    by_line: dict[int, list[str]] = {}
    for finding in worth_saying(program, findings):
        by_line.setdefault(finding.line, []).append(finding.rule)
    return ", ".join((f"line {line}" if line else "the program") + f" ({', '.join(dict.fromkeys(rules))})"
                     for line, rules in sorted(by_line.items()))


def worth_saying(program: str, findings: Sequence[Finding]) -> list[Finding]:
    """The findings without those that only repeat what another says of the same line, in their order.

    The syntax tree and Semgrep judge independently, so most denials are found twice. At least one denial stays for every
    line that has one; the verdict itself keeps them all.
    """
    lines = program.split("\n")
    denied: dict[int, set[str]] = {}
    for finding in findings:
        if finding.severity == "ERROR":
            denied.setdefault(finding.line, set()).add(finding.rule)
    return [finding for finding in findings
            if finding.line == 0 or not _repeats(finding, denied.get(finding.line, set()), lines)]


def _repeats(finding: Finding, denied: set[str], lines: Sequence[str]) -> bool:
    rule, others = finding.rule, denied - {finding.rule}
    if rule in _GENERAL:
        return bool(others - _GENERAL)
    if any(rule in same and stronger in others for stronger, same in _SAME.items()):
        return True
    text = lines[finding.line - 1].strip() if finding.line <= len(lines) else ""
    return ("import-not-allowed" in others and rule.startswith("no-") and ";" not in text
            and text.startswith(("import ", "from ")))


def risk_summary(verdict: Verdict, last: Verdict | None) -> str:
    """What this program can do, and of that what the last approved one could not. Several lines of plain text."""
    facts, before = verdict.facts, last.facts if last else Facts()
    out = []
    for label, now, then in (
        ("imports", facts.imports, before.imports), ("reads", facts.reads, before.reads),
        ("writes", facts.writes, before.writes),
        ("other paths", facts.paths, before.paths), ("network names", facts.hosts, before.hosts),
        ("tools", facts.tools, before.tools), ("kinds of computation", facts.kinds, before.kinds),
    ):
        new = [item for item in now if item not in then]
        if new:
            out.append(f"{'newly ' if last else ''}{label}: {', '.join(map(printable, new))}")
    if last and facts.cost != before.cost:
        out.append(f"estimated cost: {facts.cost}, before {before.cost}")
    elif not last:
        out.append(f"estimated cost: {facts.cost}; {facts.lines} lines")
    for finding in verdict.findings:
        if finding.severity == "WARNING":
            out.append(f"asks for a person: {finding.message}{f' (line {finding.line})' if finding.line else ''}")
    if last and verdict.program_sha256 == last.program_sha256:
        out.insert(0, "the same program as the last approved one")
    elif last and len(out) == 0:
        out.append("nothing that the last approved program could not do")
    return "\n".join(out)


def printable(line: str) -> str:
    """One line of untrusted text as it may be shown: no control characters, at most 200 characters."""
    return "".join(letter
                   if letter.isprintable() or letter == "\t" else "\N{REPLACEMENT CHARACTER}" for letter in line)[:200]


def _finding(lines: list[str], finding: Finding) -> str:
    word = {"ERROR": "denied", "WARNING": "asks a person", "INFO": "noted"}[finding.severity]
    head = f"{f'line {finding.line}: ' if finding.line else ''}{word} by {finding.rule}: {finding.message}"
    out = [head]
    if 0 < finding.line <= len(lines):
        shown = printable(lines[finding.line - 1]).replace("\t", " ")
        start = max(0, finding.column - 1 - _WIDTH // 2) if len(shown) > _WIDTH else 0
        out.append(f"    {shown[start:start + _WIDTH]}")
        if 0 < finding.column <= len(shown) + 1:
            out.append(" " * (4 + finding.column - 1 - start) + "^")
    if finding.fix:
        out.append(f"    instead: {finding.fix}")
    return "\n".join(out)
