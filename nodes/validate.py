"""Validate: the delivered value against its shape, the declared outputs, and the operator's invariants."""

import json
from pathlib import Path

from langgraph.runtime import Runtime

from ..graph.around import surroundings_of
from ..graph.artifacts import check_outputs
from ..graph.attempts import current, failed, next_step, replaced
from ..graph.executing import DELIVERED, EARLIER, STDOUT
from ..graph.live import Live
from ..graph.observation import feedback_for_validation, observe
from ..graph.programs import attempt_folder
from ..graph.schema import validate_value
from ..graph.shape import Found, find_delivery
from ..graph.state import Check, Delivered, State, Update
from ..graph.stop import StopReason
from ..graph.task import Artifact, Task


def validate(state: State, runtime: Runtime[Live]) -> Update:
    live, task, attempt = runtime.context, state.task, current(state)
    run_folder = live.store.folder(state.run_id)
    found = _found(attempt_folder(run_folder, attempt.number), strict=task.strict)
    schema = shape_of(state)
    reason, detail = _problem_with_value(state, found, schema)
    made = [item for item in state.files if item.path in state.made]
    rejected = attempt.evidence.rejected_artifacts if attempt.evidence else []
    checks, missing, invalid = check_outputs(task.outputs, made, rejected)
    if reason is None and invalid:
        reason, detail = StopReason.ARTIFACT_INVALID, "; ".join(invalid)
    elif missing and (reason is None or nothing_delivered(found)):
        reason, detail = StopReason.ARTIFACT_MISSING, "; ".join(missing)
    if reason is None:
        checks = [*checks, *_invariants(state, live, found, run_folder)]
        broken = [check for check in checks if not check.held]
        if broken:
            reason = StopReason.INVARIANT_FAILED
            detail = "; ".join(f"{check.name}: {check.detail}" for check in broken)
    live.store.audit.append_once(state.run_id, f"validated:{attempt.number}", "output_validated",
                                 attempt=attempt.number, reason=reason.value if reason else None)
    runtime.stream_writer({"event": "validated", "reason": reason, "detail": detail})
    if reason is not None:
        more = reason is StopReason.ARTIFACT_MISSING or nothing_delivered(found)
        return _not_yet(state, live, reason, detail, more=more)
    execution = attempt.execution
    return {"delivered": Delivered(
        result_json=found.value_json, artifacts=wanted(task, made), checks=checks, notes=_notes(found),
        text=execution.stdout if execution and found.value_json is None else "")}


def wanted(task: Task, made: list[Artifact]) -> list[Artifact]:
    """The declared outputs, or every file the run made where none is declared; by path."""
    chosen = [item for item in made if not task.outputs or any(spec.matches(item.path) for spec in task.outputs)]
    return sorted(chosen, key=lambda item: item.path)


def shape_of(state: State) -> dict[str, object] | None:
    """The schema that the result must fit: the caller's, else the plan's, else none."""
    if state.task.result is not None:
        return state.task.result
    return state.plan.result if state.plan else None


def nothing_delivered(found: Found) -> bool:
    """The program ended without any value of JSON: not wrong, only not the end. Its output is an observation."""
    return found.value_json is None and found.source == "none" and found.reason is not StopReason.OUTPUT_UNSAFE


def _found(folder: Path, *, strict: bool) -> Found:
    delivered = folder / DELIVERED
    return find_delivery((folder / STDOUT).read_bytes(),
                         delivered.read_text(encoding="utf-8") if delivered.exists() else None, strict=strict)


def _problem_with_value(
    state: State, found: Found, schema: dict[str, object] | None
) -> tuple[StopReason | None, str]:
    detail = "; ".join(found.problems)
    if nothing_delivered(found):
        silent = found.reason is StopReason.NO_RESULT
        given = state.task.program is not None
        marked_as_last = current(state).complete and state.task.result is None
        if marked_as_last or (schema is None and (given or state.task.outputs or not silent)):
            return None, ""
        return found.reason, detail
    if found.reason is not None:
        return found.reason, detail
    if found.value_json is None or schema is None:
        return None, ""
    problems = validate_value(found.value_json, schema)
    return (StopReason.SCHEMA_MISMATCH, "; ".join([*problems, *filter(None, [found.hint])])) if problems else (None, "")


def _invariants(state: State, live: Live, found: Found, run_folder: Path) -> list[Check]:
    """The operator's checks, on the host, over data only. One that raises (on a key that is not there) does not hold."""
    checks = []
    result = None if found.value_json is None else json.loads(found.value_json)
    folder = _artifact_view(state, run_folder) if state.task.invariants else run_folder
    for name in state.task.invariants:
        try:
            said = live.parts.invariants[name](result, folder)
        except Exception as error:  # the operator's code over a hostile program's data: it may raise anything
            said = f"raised {type(error).__name__}: {error}"[:500]
        held = said is None or said is True
        checks.append(Check(name=name, held=held, detail="" if held else str(said or "does not hold")))
    return checks


def _artifact_view(state: State, run_folder: Path) -> Path:
    """A folder with the files that completed programs made, under their workspace names."""
    view = run_folder / "made"
    for item in state.files:
        if item.path in state.made:
            target = view / item.path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes((run_folder / item.stored).read_bytes())
    view.mkdir(exist_ok=True)
    return view


def _not_yet(state: State, live: Live, reason: StopReason, detail: str, *, more: bool) -> Update:
    attempt = current(state).model_copy(update={"reason": reason, "detail": detail})
    attempts = replaced(state, attempt)
    assert attempt.execution is not None
    assert state.program is not None
    whole = [item.path for item in state.files if item.path.startswith(f"{EARLIER}/attempt_{attempt.number}_")]
    seen = observe(attempt.execution, program=state.program, budget=state.task.observation_chars,
                   around=surroundings_of(state, live), full_output=whole)
    feedback = feedback_for_validation(seen, reason, detail, shape_of(state), [spec.pattern for spec in state.task.outputs])
    return next_step(state, attempts, feedback) if more else failed(state, attempts, feedback)


def _notes(found: Found) -> list[str]:
    if found.stray:
        return ["the program printed other text beside its result"]
    return ["the program ended without printing or delivering anything"] if found.reason is StopReason.NO_RESULT else []
