"""Why a run goes on as it does. A route answers why; only the file that builds the graph says where."""

from collections.abc import Mapping
from typing import Literal

from .state import State
from .stop import ADVICE

Again = Literal["replan"]
Ended = Literal["exhausted", "unavailable", "fallback", "escalated"]


def after_start(state: State) -> Literal["goal", "program"]:
    """A given program enters at the gate; a goal is planned first."""
    # No node has looked yet: a server's task is a mapping still, and it may be no task at all.
    task: object = state.task
    program = task.get("program") if isinstance(task, Mapping) else getattr(task, "program", None)
    return "program" if program is not None else "goal"


def after_plan(state: State) -> Literal["planned", "answered", "stopped"]:
    if state.stop:
        return "stopped"
    return "answered" if state.delivered else "planned"


def after_generate(state: State) -> Literal["written", "retry", "ended"] | Again | Ended:
    if state.stop:
        return _ended(state)
    if state.delivered:
        return "ended"
    if state.program is not None:
        return "written"
    return "replan" if state.replanning else "retry"


def after_check_policy(state: State) -> Literal["allowed", "review", "denied"] | Again | Ended:
    if state.stop:
        return _ended(state)
    if state.approved:
        return "allowed"
    if state.program is not None:
        return "review"
    return "replan" if state.replanning else "denied"


def after_approve(state: State) -> Literal["approved", "edited", "hint", "rejected", "stale"]:
    if state.stop:
        return "rejected"
    if state.approved:
        return "approved"
    if state.program is None:
        return "hint"
    return "stale" if state.stale else "edited"


def after_prepare(state: State) -> Literal["ready", "unavailable"]:
    return "unavailable" if state.stop else "ready"


def after_run(state: State) -> Literal["completed", "failed", "engine_down", "outdated"] | Again | Ended:
    if state.stop:
        return _ended(state)
    if state.program is None:
        return "replan" if state.replanning else "failed"
    if state.approved is None:
        return "outdated"
    return "completed" if state.prepared else "engine_down"


def after_validate(state: State) -> Literal["valid", "invalid", "more"] | Again | Ended:
    if state.stop:
        return _ended(state)
    if state.delivered:
        return "valid"
    if state.replanning:
        return "replan"
    return "more" if state.attempts[-1].step < state.step else "invalid"


def _ended(state: State) -> Ended:
    """How an end is reached: something is left to try, the machinery is missing, or the attempts are used up."""
    assert state.stop is not None
    if state.stop.last_resort:
        return state.stop.last_resort
    return "unavailable" if ADVICE[state.stop.reason].machinery else "exhausted"
