"""What is counted of a finished run, for `runs --stats` and for metrics."""

from dataclasses import dataclass
from typing import Literal

from .state import Outcome

Kind = Literal["status", "stop_reason", "verdict", "engine", "rule", "execution"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """A count, and the seconds spent where seconds make sense (0 elsewhere)."""

    kind: Kind
    name: str
    count: int
    seconds: float


def tallies_of(outcome: Outcome) -> list[Tally]:
    """Counts by stop reason, verdict, rule, engine (with seconds by the clock) and by how executions ended."""
    counted: dict[tuple[Kind, str], list[float]] = {}

    def add(kind: Kind, name: str, seconds: float = 0.0) -> None:
        cell = counted.setdefault((kind, name), [0, 0.0])
        cell[0] += 1
        cell[1] += seconds

    if outcome.stop_reason is not None:
        add("stop_reason", outcome.stop_reason.value)
    for attempt in outcome.attempts:
        if attempt.verdict is not None:
            add("verdict", attempt.verdict)
        for rule in sorted({finding.rule for finding in attempt.findings}):
            add("rule", rule)
        if attempt.execution is not None:
            add("execution", attempt.execution.outcome, attempt.execution.wall_s)
            if attempt.evidence is not None:
                add("engine", attempt.evidence.engine, attempt.execution.wall_s)
    return [Tally(kind=kind, name=name, count=int(count), seconds=seconds)
            for (kind, name), (count, seconds) in sorted(counted.items())]
