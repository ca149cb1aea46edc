"""An outcome, a verdict, an engine's report: as a person reads them. Everything from outside is escaped."""

import json
import re
from pathlib import Path
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from ..graph.state import Attempt, Outcome, Plan
from ..policies.explain import explain
from ..sandbox.engine import SCRATCH
from ..sandbox.evidence import Evidence

# The home that libraries keep their caches in: of the sandbox, gone with it, no place that results come from.
_SANDBOX_HOME = re.compile(rf"(?:{re.escape(SCRATCH)}|/.*/fumehood-landlock-[^/]+/scratch)/home/")
COLOURS = {"answered": "green", "stopped": "red", "waiting": "yellow", "interrupted": "yellow", "running": "cyan"}


def plain(text: str) -> str:
    """Text of a program or a model without control codes and direction marks that could deceive a reader."""
    return "".join(sign if sign in "\n\t" or sign.isprintable() else f"\\x{ord(sign):02x}" for sign in text)


def show_outcome(console: Console, outcome: Outcome, *, program: str | None = None, detail: bool = False) -> None:
    """The answer first, then what it rests on."""
    colour = COLOURS[outcome.status]
    reason = f" · {outcome.stop_reason}" if outcome.stop_reason else ""
    console.print(f"[bold {colour}]{outcome.status}{escape(reason)}[/bold {colour}]  [dim]{outcome.run_id}[/dim]")
    if outcome.result_json is not None:
        console.print(result_view(outcome.result))
    if outcome.message:
        console.print(Text(plain(outcome.message.rstrip("\n"))))
    if outcome.explanation:
        console.print(Text(plain(outcome.explanation)))
    for artifact in outcome.artifacts:
        console.print(f"  [cyan]{escape(plain(artifact.path))}[/cyan]  {artifact.bytes:,} bytes, "
                      f"{escape(artifact.media_type)}")
    for note in outcome.notes:
        console.print(f"[dim]note: {escape(plain(note))}[/dim]")
    for skipped in outcome.engines_skipped:
        short = skipped.why.split(". ")[0].rstrip(".")
        console.print(f"[dim]engine {escape(skipped.engine)} not used: {escape(plain(short))} (fumehood doctor)[/dim]")
    if detail:
        if outcome.plan:
            console.print(plan_view(outcome.plan))
        for attempt in outcome.attempts:
            console.print(attempt_view(attempt, outcome.folder))
    if program is not None and detail:
        console.print(program_view(program))
    if outcome.evidence is not None:
        console.print(evidence_view(outcome.evidence, outcome.attempts[-1] if outcome.attempts else None))
    if outcome.usage.calls:
        cost = "" if outcome.usage.cost is None else f", cost {outcome.usage.cost:.4f}"
        calls = "1 model call" if outcome.usage.calls == 1 else f"{outcome.usage.calls} model calls"
        console.print(f"[dim]{calls}, {outcome.usage.input_tokens:,} tokens in, "
                      f"{outcome.usage.output_tokens:,} out{cost}[/dim]")
    console.print(f"[dim]run folder: {escape(outcome.folder)}[/dim]", soft_wrap=True)


def result_view(result: Any) -> RenderableType:
    """A list of flat objects (also one level down) as a table, everything else as JSON."""
    if isinstance(result, dict) and any(_rows(value) for value in result.values()):
        rest = {name: value for name, value in result.items() if not _rows(value)}
        parts: list[RenderableType] = [_table(value, name) for name, value in result.items() if _rows(value)]
        return Group(*parts, result_view(rest)) if rest else Group(*parts)
    if _rows(result):
        return _table(result, "")
    if isinstance(result, dict) and all(not isinstance(value, (dict, list)) for value in result.values()):
        return Group(*(Text(plain(f"{name}: {_cell(value)}")) for name, value in result.items()))
    return Text(plain(json.dumps(result, indent=2, ensure_ascii=False)))


def _rows(value: Any) -> bool:
    return (isinstance(value, list) and 0 < len(value) <= 200
            and all(isinstance(row, dict) and row and not any(isinstance(cell, (dict, list)) for cell in row.values())
                    for row in value))


def _table(rows: list[dict[str, Any]], title: str) -> Table:
    table = Table(title=plain(title) or None, title_justify="left", box=None, header_style="bold")
    columns = list(dict.fromkeys(name for row in rows for name in row))
    for name in columns:
        numbers = all(isinstance(row.get(name), (int, float, type(None))) for row in rows)
        table.add_column(escape(plain(name)), justify="right" if numbers else "left")
    for row in rows:
        table.add_row(*(escape(plain(_cell(row.get(name)))) for name in columns))
    return table


def _cell(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def plan_view(plan: Plan) -> RenderableType:
    lines = [f"{number}. {plain(step)}" for number, step in enumerate(plan.steps, 1)] or ["(no steps)"]
    needs = [f"{name}: {', '.join(value)}" for name, value in plan.needs.model_dump().items() if value]
    return Panel(Text("\n".join([*lines, *map(plain, needs)])), title=f"plan ({plan.source})", title_align="left")


def program_view(program: str, title: str = "program") -> RenderableType:
    return Panel(Syntax(plain(program), "python", line_numbers=True, word_wrap=True), title=title, title_align="left")


def attempt_view(attempt: Attempt, folder: str) -> RenderableType:
    """How it ended, and each finding once, at its line of the program."""
    ended = f"{attempt.reason}: {attempt.detail}" if attempt.reason else "ok" if attempt.execution else "not run"
    if attempt.verdict == "deny":
        ended = str(attempt.reason)
    head = Text(plain(f"attempt {attempt.number}, step {attempt.step}: verdict {attempt.verdict or '-'}; {ended}"[:1500]))
    if not attempt.findings:
        return head
    return Group(head, Text(plain(explain(program_of(attempt, folder), attempt.findings))))


def program_of(attempt: Attempt, folder: str) -> str:
    """The attempt's program as it lies in the run's folder; empty where it is gone."""
    try:
        return (Path(folder) / attempt.program).read_text("utf-8", "replace") if attempt.program else ""
    except FileNotFoundError:
        return ""


def evidence_view(evidence: Evidence, attempt: Attempt | None) -> RenderableType:
    """What ran where, what it read, wrote and tried, what it cost."""
    table = Table(title="evidence", title_justify="left", box=None, show_header=False)
    table.add_column(style="dim")
    table.add_column()

    def row(name: str, value: str) -> None:
        table.add_row(name, escape(plain(value)))

    row("engine", f"{evidence.engine}, {evidence.runtime[:19]}, witness: {evidence.witness}")
    row("inputs", ", ".join(f"{item.path} sha256 {item.sha256[:12]}{' (read)' if item.read else ' (not read)'}"
                            for item in evidence.inputs) or "none")
    row("read", ", ".join(event.path for event in evidence.files_read[:12]) or "nothing else")
    written = [event.path for event in evidence.files_written if not _SANDBOX_HOME.match(event.path)]
    own = len(evidence.files_written) - len(written)
    row("written", (", ".join(written[:12]) or "nothing")
        + (f" ({own} in the sandbox's home: caches, settings; --json lists them)" if own else ""))
    row("network", ", ".join(f"{item.family} {item.host or '?'}:{item.port or '?'} x{item.count}"
                             for item in evidence.network_attempts) or "no attempt")
    if attempt and attempt.execution:
        run = attempt.execution
        memory = f", {run.peak_memory_bytes / 1048576:.0f} MB" if run.peak_memory_bytes else ""
        row("cost", f"{run.wall_s:.2f} s, {run.cpu_s:.2f} s CPU{memory}")
    held = ", ".join(f"{name} {value}" for name, value in evidence.limits.held.items())
    row("limits", held or "-")
    if evidence.events_lost:
        row("lost", f"{evidence.events_lost} events were not written down")
    return table
