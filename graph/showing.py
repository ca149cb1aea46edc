"""What a person sees of a question: sections of plain lines, which a terminal may colour and a page may mark up."""

import difflib
from dataclasses import dataclass
from typing import Literal

from ..policies.verdict import Finding
from .approval import Question
from .plain import printable

Kind = Literal["text", "program", "diff"]


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part of what is shown. Lines hold no control characters."""

    title: str
    kind: Kind
    lines: tuple[str, ...]


def describe(question: Question) -> list[Section]:
    """Goal, reasons, program with findings at their lines, its risk, what changed, needs, limits, inputs."""
    sections = [Section("Goal", "text", _lines(question.goal))]
    if question.stale:
        sections.append(Section("Asked again", "text", (
            "What was shown before has changed since, so the earlier decision does not count.",)))
    sections += [
        Section("Why you are asked", "text", tuple(_one(reason) for reason in question.reasons)),
        Section("Who is expected to answer", "text", (_one(question.approvers),) if question.approvers else ()),
        Section("Program", "program", annotated(question.program, question.verdict.findings)),
    ]
    if question.previous is not None:
        changed = difference(question.previous, question.program)
        sections.append(Section("Changes since the last approved program", "diff",
                                changed or ("none: it is the same program",)))
    sections += [
        Section("What it does, by its syntax tree", "text", risk_lines(question)),
        Section("What its plan named, and what the policy allows", "text", need_lines(question)),
        Section("Limits", "text", limit_lines(question)),
        Section("Inputs", "text", input_lines(question)),
        Section("This decision is bound to", "text", (
            f"program {question.binding.program_sha256}", f"policy  {question.binding.policy_sha256}"
            f"{f' ({_one(question.policy)})' if question.policy else ''}",
            f"engine  {_one(question.binding.engine)}", f"digest  {question.binding.digest}")),
    ]
    return [section for section in sections if section.lines]


def describe_text(question: Question) -> str:
    """The sections as one text, for pages that show plain text."""
    return "\n\n".join("\n".join([section.title, *(f"  {line}" for line in section.lines)])
                       for section in describe(question))


def annotated(program: str, findings: list[Finding]) -> tuple[str, ...]:
    """The program with line numbers, each finding below its line; findings without a line come first."""
    by_line: dict[int, list[Finding]] = {}
    lines = program.splitlines() or [""]
    for finding in findings:
        by_line.setdefault(finding.line if 1 <= finding.line <= len(lines) else 0, []).append(finding)
    width = len(str(len(lines)))
    shown = [_finding(finding, width) for finding in by_line.get(0, [])]
    for number, line in enumerate(lines, start=1):
        shown.append(f"{number:>{width}} | {_one(line)}")
        shown += [_finding(finding, width) for finding in by_line.get(number, [])]
    return tuple(shown)


def _finding(finding: Finding, width: int) -> str:
    fix = f" Instead: {finding.fix}" if finding.fix else ""
    return f"{'':>{width}} ^ {finding.severity} {_one(finding.rule)}: {_one(finding.message)}{_one(fix)}"


def difference(before: str, after: str) -> tuple[str, ...]:
    """A unified diff with three lines around each change; empty for equal texts."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), "last approved", "this program", lineterm="")
    return tuple(_one(line) for line in lines)


def risk_lines(question: Question) -> tuple[str, ...]:
    """One line per kind of fact, so that two programs are compared at a glance."""
    facts = question.verdict.facts
    kinds = {"imports": facts.imports, "reads": facts.reads, "writes": facts.writes, "other paths": facts.paths,
             "hosts": facts.hosts, "tools": facts.tools}
    counts: dict[str, int] = {}
    for finding in question.verdict.findings:
        counts[finding.severity] = counts.get(finding.severity, 0) + 1
    said = ", ".join(f"{count} {severity}" for severity, count in sorted(counts.items())) or "none"
    return (*(f"{name}: {_some(values)}" for name, values in kinds.items() if values),
            f"size: {facts.lines} lines, cost {facts.cost}", f"findings: {said}")


def need_lines(question: Question) -> tuple[str, ...]:
    """Each kind of need as the plan named it, against the policy's ceiling."""
    needs = question.plan_needs.model_dump()
    lines = []
    for name in dict.fromkeys([*needs, *question.ceiling]):
        planned, most = needs.get(name), question.ceiling.get(name)
        if planned is None and most is None:
            continue
        said = "not named" if planned is None else _some(planned) or "none"
        lines.append(f"{name}: {said}" + ("" if most is None else f" (policy allows {_some(most) or 'none'})"))
    return tuple(lines)


def limit_lines(question: Question) -> tuple[str, ...]:
    return tuple(f"{name}: {value:g}" + (f", above the {question.limits_usual[name]:g} that needs no approval"
                                         if value > question.limits_usual.get(name, value) else "")
                 for name, value in question.binding.limits.items())


def input_lines(question: Question) -> tuple[str, ...]:
    return tuple(f"{_one(item.name)}: {item.bytes} bytes, sha256 {item.sha256}{', sensitive' if item.sensitive else ''}"
                 for item in question.inputs)


def _some(values: list[str]) -> str:
    shown = ", ".join(_one(value) for value in values[:20])
    return f"{shown} and {len(values) - 20} more" if len(values) > 20 else shown


def _one(text: str) -> str:
    return printable(text).replace("\n", "\\n")


def _lines(text: str) -> tuple[str, ...]:
    return tuple(_one(line) for line in text.splitlines())
