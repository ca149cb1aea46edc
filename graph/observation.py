"""What the model is told after an attempt: output within a budget, the error in its program's own lines, the way out.

Everything that a program printed or raised stands between data marks: it is material, and no instruction.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..policies.explain import worth_saying
from ..policies.verdict import Finding, Verdict
from ..sandbox.execution import Execution, ProgramError
from .hints import NOTHING_KNOWN, Surroundings, hint_for
from .prompts import as_data
from .state import Message
from .stop import StopReason
from .terminal import clipped, readable

_LINE = 160
_AROUND = 3
_FINDINGS = 10
_MARKS = 70
"""Characters that data marks add to a text."""


def observe(execution: Execution, *, program: str, budget: int = 4000, around: Surroundings = NOTHING_KNOWN,
            full_output: Sequence[str] = ()) -> str:
    """How the program ended and what it printed, in at most `budget` characters.

    `full_output`: files in which a later program can read all of the output, for the note on a cut.
    """
    parts = [clipped(_headline(execution), budget // 5)]
    if execution.error is not None:
        parts += _error(execution.error, program, budget)
    hint = hint_for(execution, program, around, budget // 4)
    if hint:
        parts.append(hint)
    for warning in execution.warnings[:3]:
        if sum(map(len, parts)) + 300 < budget * 2 // 3:
            parts.append(readable(warning)[:300])
    fixed = "\n".join(parts)
    streams = _streams(execution, budget - len(fixed) - 2, full_output)
    return f"{fixed}\n\n{streams}" if streams else fixed


def _headline(execution: Execution) -> str:
    if execution.outcome == "completed":
        if not (execution.stdout.strip() or execution.stderr.strip()):
            return ("The program ran to its end with exit code 0 and printed nothing. "
                    "Show what it found with print(...), or deliver it with final_answer(value).")
        silent = "" if execution.stdout.strip() else " It printed nothing on stdout: use print(...) or final_answer(value)."
        return f"The program ran to its end with exit code {execution.exit_code or 0}.{silent}"
    if execution.outcome == "error":
        code = 1 if execution.exit_code is None else execution.exit_code
        return f"The program failed with exit code {code}."
    said = readable(execution.message) or f"The program was stopped: {execution.limit or execution.outcome}."
    return clipped(said, 600)


def _error(error: ProgramError, program: str, budget: int) -> list[str]:
    """Type, message, the innermost own line with the lines around it, and the types of the values there."""
    room = budget // 3 - _MARKS - 40
    text = clipped(f"{readable(error.type)[:100]}: {readable(error.message)}".rstrip(": "), room // 2)
    lines = program.split("\n")
    if error.line and error.line <= len(lines):
        text += "\n" + _excerpt(lines, error.line, room - len(text) - 1)
    elif error.traceback:
        text += "\n" + clipped(readable(error.traceback).strip(), room - len(text) - 1)
    causes = _causes(error)
    if len(text) + len(causes) < room:
        text += causes
    where = f"At line {error.line} of your program" if error.line else "No line of your program was running"
    parts = [f"{where}:\n{as_data(text, 'error')}"]
    if error.values:
        shown = ", ".join(f"{readable(name)[:60]}: {readable(kind)[:80]}" for name, kind in error.values.items())
        parts.append(f"Types there: {clipped(shown, budget // 10 - 15).replace(chr(10), ' ')}")
    return parts


def _excerpt(lines: list[str], at: int, room: int) -> str:
    """The line and as many around it, three at most on each side, as there is room for."""
    for around in range(_AROUND, -1, -1):
        shown = "\n".join(f"{'>' if number == at else ' '} {number:4} | {_cut(readable(lines[number - 1]))}"
                          for number in range(max(1, at - around), min(len(lines), at + around) + 1))
        if len(shown) <= room:
            return shown
    return shown[:max(room, 0)]


def _causes(error: ProgramError) -> str:
    """The earlier exceptions of a chain, one line each: often the second one only says that the first was met."""
    chained = re.split(r"\n(?:The above exception was the direct cause|During handling of the above exception)[^\n]*\n",
                       error.traceback)
    firsts = [part.strip().split("\n")[-1] for part in chained[:-1]]
    return "".join(f"\ncaused by {_cut(readable(line))}" for line in firsts[-2:])


def _cut(line: str) -> str:
    return line if len(line) <= _LINE else f"{line[:_LINE - 30]} … {line[-20:]}"


def _streams(execution: Execution, budget: int, full_output: Sequence[str]) -> str:
    stdout, stderr = readable(execution.stdout), readable(_without_traceback(execution))
    given = [(name, text, size, raw) for name, text, size, raw in (
        ("stdout", stdout, execution.stdout_bytes, execution.stdout),
        ("stderr", stderr, execution.stderr_bytes, execution.stderr)) if text.strip()]
    note = ("To see more, print only the part you need" + (f", or read {' and '.join(full_output)}" if full_output else
            "") + ".")
    # In a small budget stderr goes first, then the note, then all.
    while (room := budget - len(note) - 2 - len(given) * (_MARKS + 60)) < 60 * len(given) and given:
        given, note = (given[:-1], note) if len(given) > 1 or not note else (given, "")
    if not given:
        return ""
    sizes = [len(text) for _, text, _, _ in given]
    if sum(sizes) <= budget - len(given) * (_MARKS + 30):
        room = sum(sizes)
    # stdout is what the program wanted to say: stderr gets at most two fifths where both are long.
    shares = [room] if len(given) == 1 else [max(room * 3 // 5, room - sizes[1]), max(room * 2 // 5, room - sizes[0])]
    parts, cut = [], False
    for (name, text, size, raw), share in zip(given, shares, strict=True):
        missing = max(size - len(raw.encode("utf-8", "replace")), 0) if execution.truncated else 0
        shown = clipped(text.rstrip("\n"), max(share, 0), left_out=missing, unit="bytes" if missing else "characters")
        whole = len(shown) >= len(text.rstrip("\n")) and not missing
        cut = cut or not whole
        amount = "" if whole else f" ({max(size, len(raw)):,} bytes in all, the middle left out)"
        parts.append(f"{name}{amount}:\n{as_data(shown, name)}")
    return "\n".join([*parts, note] if cut and note else parts)


def _without_traceback(execution: Execution) -> str:
    """stderr without the traceback that the error already tells."""
    if execution.error is None:
        return execution.stderr
    found = re.search(r"^ *(?:\+ Exception Group )?Traceback \(most recent call last\)", execution.stderr, re.M)
    if found:
        return execution.stderr[:found.start()]
    return "" if execution.stderr.strip() == execution.error.message.strip() else execution.stderr


def feedback_for_findings(program: str, verdict: Verdict) -> str:
    """A denial as instructions: rule, line, reason and way out of each finding. What the rule looks for is not told."""
    told = worth_saying(program, verdict.findings)
    denials = [finding for finding in told if finding.severity == "ERROR"] or told
    unique = list(dict.fromkeys((f.rule, f.line, f.message, f.fix) for f in denials))
    by_key = {(f.rule, f.line, f.message, f.fix): f for f in reversed(denials)}
    head = ("The program does what its own plan did not name, so it was not run."
            if verdict.plan_violation else "The policy does not allow this program, so it was not run.")
    lines = program.split("\n")
    parts = [head, *(_finding(by_key[key], lines) for key in unique[:_FINDINGS])]
    if len(unique) > _FINDINGS:
        parts.append(f"… and {len(unique) - _FINDINGS} more findings.")
    if re.search(r"\bpip\b|\bsubprocess\b|\bconda\b|urllib|requests|socket|http", program):
        parts.append("There is no network and no shell, and nothing can be installed: use what can be imported, and "
                     "inputs for what comes from outside.")
    parts.append("Reach the goal in an allowed way and send the whole program again. Asking for permission, other names "
                 "for the same thing and the same program again are refused as well.")
    return "\n".join(parts)


def _finding(finding: Finding, lines: list[str]) -> str:
    where = f"line {finding.line}: " if finding.line else ""
    source = finding.source or (lines[finding.line - 1] if 0 < finding.line <= len(lines) else "")
    shown = f"\n    {_cut(readable(source).strip())}" if source.strip() else ""
    fix = f" Instead: {readable(finding.fix)[:400]}" if finding.fix else ""
    return f"- {where}{readable(finding.message)[:500].rstrip('.')}. [{finding.rule}]{fix}{shown}"


_WANTED = {
    StopReason.NO_RESULT: "It gave no result. ",
    StopReason.SCHEMA_MISMATCH: "The result cannot be taken. ",
    StopReason.ARTIFACT_MISSING: "A declared file is missing. ",
    StopReason.ARTIFACT_INVALID: "A declared file cannot be taken. ",
    StopReason.INVARIANT_FAILED: "A check on the result does not hold. ",
    StopReason.OUTPUT_UNSAFE: "The result cannot be handed on. ",
}


def feedback_for_validation(observation: str, reason: StopReason, detail: str, schema: Mapping[str, Any] | None = None,
                            outputs: Sequence[str] = ()) -> str:
    """The observation with what is wrong or missing of the delivery, and in what shape it is wanted."""
    parts = [observation, f"{_WANTED.get(reason, '')}{clipped(readable(detail), 1500)}".rstrip(".") + "."]
    if schema is not None and reason in (StopReason.NO_RESULT, StopReason.SCHEMA_MISMATCH):
        wanted = json.dumps(schema, ensure_ascii=False)
        parts.append(f"The result must fit this JSON Schema: {clipped(wanted, 1000)}")
    if outputs and reason in (StopReason.ARTIFACT_MISSING, StopReason.ARTIFACT_INVALID):
        named = ", ".join(name if "/" in name else f"output/{name}" for name in outputs)
        parts.append(f"Wanted files: {clipped(named, 500)}. A figure is written with plt.savefig(name); plt.show() "
                     "writes nothing.")
    parts.append("Deliver with final_answer(value) once it is right; do not change what was right already."
                 if reason not in (StopReason.ARTIFACT_MISSING, StopReason.ARTIFACT_INVALID) else
                 "Write it in the next program; what is there already stays where the workspace stays.")
    return "\n".join(parts)


_SMALLEST = 60
_STAGES = ((400, ("user",)), (400, ("user", "assistant")), (120, ("user", "assistant")))
"""How short old turns become, in order: observations first, then the programs too."""


def shrink(messages: Sequence[Message], budget: int) -> list[Message]:
    """The conversation within `budget` characters: old turns lose their middles first, then their place.

    Kept longest: the rules, the task, and the newest turns. Roles alternate as before.
    """
    kept = list(messages)

    def size() -> int:
        return sum(len(message.content) for message in kept)

    opening = next((i + 1 for i, m in enumerate(kept) if m.role == "user"), 0)
    for limit, roles in _STAGES:
        for index in range(opening, max(opening, len(kept) - 2)):
            if size() <= budget:
                return kept
            if kept[index].role in roles:
                kept[index] = _shorter(kept[index], limit)
    while size() > budget and len(kept) - opening > 2:
        del kept[opening:opening + 2]
    while size() > budget:
        longest = max(range(len(kept)), key=lambda i: len(kept[i].content) / (4 if i < opening else 1))
        content = kept[longest].content
        room = max(len(content) - (size() - budget), len(content) // 2 if len(content) > _SMALLEST else 0)
        kept[longest] = _shorter(kept[longest], room)
    return kept


def _shorter(message: Message, limit: int) -> Message:
    if len(message.content) <= limit:
        return message
    return message.model_copy(update={"content": clipped(message.content, limit)})
