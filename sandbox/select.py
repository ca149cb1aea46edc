"""Which engine runs: the first in the operator's order that works here and is as strong as the policy requires."""

from collections.abc import Iterable
from dataclasses import dataclass

from .engine import Engine, Requirements


@dataclass(frozen=True, slots=True)
class Skipped:
    """An engine that was passed over."""

    engine: str
    why: str
    too_weak: bool
    """It works, but does not hold what is required; false where it cannot be used at all."""


def choose(engines: Iterable[Engine], requirements: Requirements) -> tuple[Engine | None, list[Skipped]]:
    """The engine to take, or None, and those before it with the reason. Strength is only asked of an engine that works:
    capabilities are measured, and measuring needs a start."""
    skipped: list[Skipped] = []
    for engine in engines:
        unavailable = engine.unavailable()
        if unavailable is not None:
            skipped.append(Skipped(engine.name, unavailable, too_weak=False))
            continue
        missing = engine.capabilities().lacking(requirements)
        if not missing:
            return engine, skipped
        skipped.append(Skipped(engine.name, "; ".join(missing), too_weak=True))
    return None, skipped
