"""What happened in a run, step by step, and what is different between two runs. Nothing here changes anything."""

import dataclasses
import difflib
import itertools
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from langgraph.constants import START
from langgraph.types import StateSnapshot
from pydantic import BaseModel

from .plain import printable
from .questions import Asked
from .state import Outcome, State
from .store import RunRow
from .task import Task

MAX_SHOWN = 200
_CHAIN = ("at", "event", "hash", "key", "prev", "run_id", "seq")


def timeline(row: RunRow, entries: Iterable[Mapping[str, Any]], snapshots: Sequence[StateSnapshot],
             asked: Sequence[Asked]) -> list[dict[str, str]]:
    """Events with `at` (UTC, ISO 8601), `event` and `detail`, oldest first: the nodes that ended, what the audit noted,
    who decided what. Details are one printable line each."""
    found = [(row.created, "run_created", f"forked from {row.forked_from}" if row.forked_from else row.goal)]
    for before, after in itertools.pairwise(snapshots):
        if before.next:
            changed = ", ".join(changes(before, after)) or "nothing"
            ended = ", ".join(before.next)
            found.append((_seconds(after.created_at), "run_entered" if ended == START else f"node {ended}",
                          f"changed {changed}"))
    for entry in entries:
        detail = " ".join(f"{name}={_value(value)}" for name, value in entry.items() if name not in _CHAIN)
        found.append((float(entry["at"]), str(entry["event"]), detail))
    for item in asked:
        if item.decision is not None and item.decided is not None:
            said = f"{item.decision.type} by {item.decided_by}"
            found.append((item.decided, "decision_taken", f"{said}: {item.decision.message}"
                          if item.decision.message else said))
    # Sorting is stable and the audit rounds to milliseconds, so what happened in one moment keeps its order.
    found.sort(key=lambda moment: moment[0])
    return [{"at": datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds"), "event": event,
             "detail": _line(detail)} for at, event, detail in found]


def changes(before: StateSnapshot, after: StateSnapshot) -> list[str]:
    """Names of the state's fields that differ."""
    return [name for name in _unset() if _value_of(before, name) != _value_of(after, name)]


@cache
def _unset() -> dict[str, Any]:
    """The state's fields with what they hold before anything was written."""
    return {field.name: field.default_factory() if field.default_factory is not dataclasses.MISSING
            else None if field.default is dataclasses.MISSING else field.default for field in dataclasses.fields(State)}


def _value_of(snapshot: StateSnapshot, name: str) -> Any:
    return snapshot.values.get(name, _unset()[name])


def position(snapshots: Sequence[StateSnapshot]) -> list[str]:
    """Where a run stands: which node ended last, what it changed, which comes next. One printable line each."""
    if not snapshots:
        return ["nothing has happened yet"]
    last = snapshots[-1]
    lines = []
    if len(snapshots) > 1 and snapshots[-2].next:
        before = snapshots[-2]
        lines.append(f"{', '.join(before.next)} ended")
        lines += [f"  {name}: {_line(_summary(_value_of(before, name)))} -> {_line(_summary(_value_of(last, name)))}"
                  for name in changes(before, last)]
    lines.append(f"next: {', '.join(last.next)}" if last.next else "the run is over")
    return lines


def difference(one: tuple[Task, Outcome], other: tuple[Task, Outcome]) -> list[str]:
    """A unified diff of what two runs were asked, wrote, found and answered; times and ids left out."""
    before, after = (account(*run) for run in (one, other))
    return list(difflib.unified_diff(before, after, one[1].run_id, other[1].run_id, lineterm=""))


def account(task: Task, outcome: Outcome) -> list[str]:
    """A run in printable lines: task, plan, each attempt with its program, the end."""
    lines = [f"goal: {_line(task.goal)}", f"policy: {task.policy}"]
    lines += [f"limit {name}: {value:g}" for name, value in task.limits.model_dump().items()]
    lines += [f"input {item.name}: {item.sha256}" for item in task.inputs]
    if outcome.plan is not None:
        lines += [f"plan: {_line(step)}" for step in outcome.plan.steps]
    for attempt in outcome.attempts:
        lines.append(f"attempt {attempt.number}, step {attempt.step}, {attempt.origin}")
        if attempt.program:
            lines += [f"    {_line(line)}" for line in _program(Path(outcome.folder) / attempt.program)]
        lines.append(f"  verdict: {attempt.verdict}")
        lines += [f"  {finding.severity} {finding.rule}" + (f" at line {finding.line}" if finding.line else "")
                  for finding in attempt.findings]
        if attempt.execution is not None:
            lines.append(f"  execution: {attempt.execution.outcome}")
            lines += [f"  | {_line(line)}" for line in attempt.execution.stdout.splitlines()]
        if attempt.reason is not None:
            lines.append(f"  failed: {attempt.reason}: {_line(attempt.detail)}")
    lines.append(f"end: {outcome.status}{f' ({outcome.stop_reason})' if outcome.stop_reason else ''}")
    if outcome.result_json is not None:
        lines.append(f"result: {_line(outcome.result_json)}")
    lines += [f"artifact {artifact.path}: {artifact.sha256}" for artifact in outcome.artifacts]
    lines += [f"check {check.name}: {'held' if check.held else 'failed'}" for check in outcome.checks]
    return lines


def _program(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return ["(its file is gone)"]


def _seconds(created_at: str | None) -> float:
    return datetime.fromisoformat(created_at).timestamp() if created_at else 0.0


def _summary(value: Any) -> str:
    if isinstance(value, list):
        return f"{len(value)} items" + (f", last {_summary(value[-1])}" if value else "")
    if isinstance(value, BaseModel):
        set_ = {name: item for name, item in value if item not in (None, "", [], {}, 0)}
        return ", ".join(f"{name} {_short(item)}" for name, item in set_.items()) or "nothing"
    return "nothing" if value in (None, "") else str(value)


def _short(value: Any) -> str:
    """One field of a record in a few words."""
    if isinstance(value, list):
        return f"({len(value)})"
    if isinstance(value, (BaseModel, dict)):
        return "(set)"
    text = " ".join(str(value).split())
    return text if len(text) <= 60 else f"{text[:59].rstrip()}…"


def _value(value: Any) -> str:
    text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
    return text[:12] if len(text) == 64 and set(text) <= set("0123456789abcdef") else text


def _line(text: str) -> str:
    shown = printable(text).replace("\n", "\\n")
    return shown if len(shown) <= MAX_SHOWN else f"{shown[:MAX_SHOWN]}…"
