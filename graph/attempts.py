"""What a failed attempt changes, and when there is nothing left to try: counted here and nowhere else."""

import time
from typing import Literal

from .observation import shrink
from .progress import instruction_for, judge_progress
from .state import Attempt, Message, State, Stop, Update
from .stop import StopReason

_FORM = "```python"
CONVERSATION_CHARS = 120_000
"""About 30,000 tokens; older observations shrink beyond it."""


def current(state: State) -> Attempt:
    """The attempt that is under way."""
    return state.attempts[-1]


def replaced(state: State, attempt: Attempt) -> list[Attempt]:
    """The attempts with the current one replaced."""
    return [*state.attempts[:-1], attempt]


def begun(state: State, **known: object) -> list[Attempt]:
    """The attempts with a new one added."""
    attempt = Attempt(step=state.step, number=len(state.attempts) + 1, **known)  # type: ignore[arg-type]
    return [*state.attempts, attempt]


def told(state: State, *messages: Message) -> list[Message]:
    """The conversation with these added, old observations shrunk so that it stays within its bound."""
    return shrink([*state.messages, *messages], CONVERSATION_CHARS)


def failed(state: State, attempts: list[Attempt], feedback: str) -> Update:
    """The attempt failed: feedback for the model if it may try again, else the stop.

    `attempts` ends with the failed one, its reason set.
    """
    last = attempts[-1]
    assert last.reason is not None
    update: Update = {"attempts": attempts, "program": None, "approved": None}
    if state.task.program is not None:
        return {**update, "stop": Stop(reason=last.reason, message=last.detail)}
    if last.origin == "fallback":
        return {**update, "stop": Stop(reason=StopReason.ATTEMPTS_EXHAUSTED,
                                       message=f"The fallback program failed as well: {last.detail}")}
    stop = _spent(state, attempts)
    if stop:
        return {**update, "stop": stop, "messages": told(state, Message(role="user", content=feedback))}
    return {**update, **_told_why(state, attempts, feedback)}


def next_step(state: State, attempts: list[Attempt], observation: str) -> Update:
    """The program ran to its end and more is wanted: its output goes back, and the attempts are counted anew."""
    update: Update = {"attempts": attempts, "program": None, "approved": None, "step": state.step + 1}
    last = attempts[-1]
    if state.task.program is not None or last.origin == "fallback":
        return failed(state, attempts, observation)
    if judge_progress(attempts, state.forgiven) == "stop":
        return {**update, "stop": _stop(state, StopReason.NO_PROGRESS, attempts)}
    if state.step >= state.task.max_steps:
        return {**update, "stop": _stop(state, StopReason.BUDGET_EXHAUSTED, attempts,
                                        f"All {state.task.max_steps} steps are used up")}
    over = over_budget(state)
    if over:
        return {**update, "stop": over}
    return {**update, **_told_why(state, attempts, observation)}


def _told_why(state: State, attempts: list[Attempt], feedback: str) -> Update:
    """What the model hears before its next program, and whether a new plan comes first."""
    judgement = judge_progress(attempts, state.forgiven)
    left_alone = "\n".join(f"Of your reply: {note}." for note in attempts[-1].notes)
    form = "" if _FORM in feedback else f"Reply with one or two sentences and the whole next program in one {_FORM} block."
    content = "\n\n".join(filter(None, [feedback, left_alone, instruction_for(judgement), form]))
    return {"messages": told(state, Message(role="user", content=content)), "replanning": judgement == "replan"}


def over_budget(state: State) -> Stop | None:
    """Tokens or wall clock of the whole run used up."""
    task, usage = state.task, state.usage
    if task.max_tokens is not None and usage.input_tokens + usage.output_tokens >= task.max_tokens:
        return _stop(state, StopReason.BUDGET_EXHAUSTED, state.attempts, f"All {task.max_tokens} tokens are used up")
    if task.max_wall_s is not None and state.started and time.time() - state.started - state.waited_s > task.max_wall_s:
        return _stop(state, StopReason.BUDGET_EXHAUSTED, state.attempts, f"{task.max_wall_s:g} s are over")
    return None


def deadline(state: State) -> float | None:
    """Unix time at which the wall clock of the run is used up; null where it has none."""
    most = state.task.max_wall_s
    return None if most is None else (state.started or time.time()) + state.waited_s + most


def _spent(state: State, attempts: list[Attempt]) -> Stop | None:
    if judge_progress(attempts, state.forgiven) == "stop":
        return _stop(state, StopReason.NO_PROGRESS, attempts)
    tried = sum(1 for attempt in attempts if attempt.step == state.step and attempt.number > state.forgiven)
    if tried >= state.task.max_attempts:
        noun = "attempt" if state.task.max_attempts == 1 else "attempts"
        return _stop(state, StopReason.ATTEMPTS_EXHAUSTED, attempts,
                     f"{state.task.max_attempts} {noun} failed")
    return over_budget(state)


def _stop(state: State, reason: StopReason, attempts: list[Attempt], said: str = "") -> Stop:
    last = attempts[-1] if attempts else None
    detail = f"; the last one: {last.reason}: {last.detail}" if last and last.reason else ""
    said = said or "The model repeats itself without progress"
    resort: Literal["fallback", "escalated"] | None = None
    if state.task.escalate and state.resort is None:
        resort = "escalated"
    elif state.task.fallback is not None and state.resort != "fallback":
        resort = "fallback"
    return Stop(reason=reason, message=f"{said}{detail}", last_resort=resort)
