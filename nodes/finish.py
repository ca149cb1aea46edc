"""Finish: the outcome, answered or stopped, with its evidence; and nothing left running."""

import time

from langgraph.runtime import Runtime

from ..graph.explain import explanation
from ..graph.live import Live
from ..graph.state import Outcome, State, Update, kept_files
from ..graph.stop import ADVICE


def finish(state: State, runtime: Runtime[Live]) -> Update:
    live = runtime.context
    live.sessions.close(state.run_id)
    outcome = _answered(state, live) if state.delivered and not state.stop else _stopped(state)
    folder = live.store.folder(state.run_id)
    outcome = outcome.model_copy(update={"folder": str(folder), "kept": kept_files(state.task, state.files)})
    live.store.audit.append_once(state.run_id, "finished", "run_finished", status=outcome.status,
                                 stop_reason=outcome.stop_reason)
    live.store.finish(outcome)
    live.telemetry.finished(outcome, seconds=max(0.0, time.time() - live.store.get(state.run_id).created))
    return {"outcome": outcome}


def _common(state: State) -> Outcome:
    evidence = next((item.evidence for item in reversed(state.attempts) if item.evidence), None)
    return Outcome(run_id=state.run_id, status="stopped", plan=state.plan, attempts=state.attempts, evidence=evidence,
                   engines_skipped=state.skipped, usage=state.usage, notes=state.notes)


def _answered(state: State, live: Live) -> Outcome:
    delivered = state.delivered
    assert delivered is not None
    prose = state.attempts[-1].prose if state.attempts else ""
    text, dropped = explanation(state.plan, delivered.result_json, prose, state.task.goal, delivered.text,
                                inputs=_read(state))
    notes = [*state.notes, *delivered.notes, *dropped]
    if state.usage.calls and live.chat.recorded:
        notes.append(f"the model's replies were played from {live.chat.label}")
    shape = "caller" if state.task.result is not None else "plan" if state.plan and state.plan.result else None
    return _common(state).model_copy(update={
        "status": "answered", "result_json": delivered.result_json, "shape_from": shape, "explanation": text,
        "message": "" if delivered.result_json is not None else delivered.text, "artifacts": delivered.artifacts,
        "checks": delivered.checks, "notes": notes})


def _read(state: State) -> list[str]:
    """The inputs that the answer rests on: those that a program read, by the evidence."""
    read = {item.path for attempt in state.attempts if attempt.evidence for item in attempt.evidence.inputs if item.read}
    return [item.name for item in state.task.inputs if item.name in read]


def _stopped(state: State) -> Outcome:
    stop = state.stop
    assert stop is not None
    message = f"{stop.message.rstrip('.')}. {ADVICE[stop.reason].next}" if stop.message else ADVICE[stop.reason].next
    return _common(state).model_copy(update={"stop_reason": stop.reason, "message": message})
