"""What is counted of a finished run, for `runs --stats` and for metrics."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, get_args

from .state import Outcome

Kind = Literal["status", "stop_reason", "verdict", "engine", "rule", "execution"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """A count, and seconds: of runs from their creation to their last change, of all else those that programs ran."""

    kind: Kind
    name: str
    count: int
    seconds: float


def tallies_of(outcome: Outcome) -> list[Tally]:
    """Counts by verdict, rule, engine and how executions ended, each with the seconds by the clock that programs ran."""
    counted: dict[tuple[Kind, str], list[float]] = {}

    def add(kind: Kind, name: str, seconds: float = 0.0) -> None:
        cell = counted.setdefault((kind, name), [0, 0.0])
        cell[0] += 1
        cell[1] += seconds

    for attempt in outcome.attempts:
        ran = attempt.execution.wall_s if attempt.execution is not None else 0.0
        if attempt.verdict is not None:
            add("verdict", attempt.verdict, ran)
        for rule in sorted({finding.rule for finding in attempt.findings}):
            add("rule", rule, ran)
        if attempt.execution is not None:
            add("execution", attempt.execution.outcome, attempt.execution.wall_s)
            if attempt.evidence is not None:
                add("engine", attempt.evidence.engine, attempt.execution.wall_s)
    return summed([(kind, name, count, seconds) for (kind, name), (count, seconds) in counted.items()])


def summed(parts: Iterable[tuple[Any, ...]]) -> list[Tally]:
    """Parts as (kind, name, count, seconds), added up by kind and name, in the order in which they are listed."""
    total: dict[tuple[Kind, str], list[float]] = {}
    for kind, name, count, seconds in parts:
        cell = total.setdefault((kind, name), [0, 0.0])
        cell[0] += count
        cell[1] += seconds
    order = get_args(Kind)
    listed = sorted(total.items(), key=lambda item: (order.index(item[0][0]), item[0][1]))
    return [Tally(kind=kind, name=name, count=int(count), seconds=float(seconds))
            for (kind, name), (count, seconds) in listed]
