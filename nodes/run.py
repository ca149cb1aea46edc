"""Run: one execution of one approved program in a sandbox."""

from langgraph.runtime import Runtime

from ..graph.around import surroundings_of
from ..graph.attempts import current, failed, replaced
from ..graph.executing import Executed, execute_once
from ..graph.live import Live
from ..graph.observation import observe
from ..graph.state import Attempt, EngineSkipped, State, Stop, Update
from ..graph.stop import StopReason
from ..policies.verdict import ensure_approved
from ..sandbox.errors import (
    BadRequest,
    EngineUnavailable,
    InputChanged,
    LimitsNotEnforced,
    SandboxFailed,
    StateLost,
)
from ..sandbox.execution import Execution

REASONS = {
    "error": StopReason.RUNTIME_ERROR,
    "timeout": StopReason.TIMEOUT,
    "out_of_memory": StopReason.OUT_OF_MEMORY,
    "killed": StopReason.KILLED_BY_SIGNAL,
    "cpu": StopReason.CPU_LIMIT,
    "output": StopReason.OUTPUT_LIMIT,
    "disk": StopReason.DISK_LIMIT,
    "files": StopReason.DISK_LIMIT,
    "processes": StopReason.PROCESS_LIMIT,
    # Once a program has begun, its sandbox's end is its own: a program must not choose its engine by breaking one.
    "sandbox_failed": StopReason.RUNTIME_ERROR,
}


def run(state: State, runtime: Runtime[Live]) -> Update:
    approved = ensure_approved(state.approved)
    assert state.prepared is not None
    gate = runtime.context.gate(state.task.policy)
    if approved.verdict.policy_sha256 != gate.policy_sha256:
        return {"verdict": None, "approved": None, "prepared": None,
                "notes": [*state.notes, "the policy changed after the verdict, so the program was judged again"]}
    try:
        done = execute_once(state, approved, runtime)
    except (EngineUnavailable, SandboxFailed) as error:
        runtime.context.sessions.close(state.run_id)
        skipped = EngineSkipped(engine=state.prepared.engine, why=str(error))
        runtime.stream_writer({"event": "engine_failed", "engine": skipped.engine, "why": skipped.why})
        return {"prepared": None, "skipped": [*state.skipped, skipped]}
    except LimitsNotEnforced as error:
        return {"stop": Stop(reason=StopReason.LIMITS_NOT_ENFORCED, message=str(error))}
    except InputChanged as error:
        return {"stop": Stop(reason=StopReason.APPROVAL_STALE, message=str(error))}
    except StateLost as error:
        return {"stop": Stop(reason=StopReason.STATE_LOST, message=str(error))}
    except BadRequest as error:
        return {"stop": Stop(reason=StopReason.SANDBOX_UNAVAILABLE, message=str(error))}
    attempt = current(state).model_copy(update={"execution": done.execution, "evidence": done.evidence})
    files: Update = {"files": done.files}
    if done.execution.outcome == "completed":
        made = sorted({*state.made, *done.changed} & {item.path for item in done.files})
        return {**files, "made": made, "attempts": replaced(state, attempt)}
    return {**files, **_failed(state, attempt, done, runtime.context)}


def _failed(state: State, attempt: Attempt, done: Executed, live: Live) -> Update:
    execution = done.execution
    attempt = attempt.model_copy(update={"reason": reason_of(execution), "detail": detail_of(execution)})
    assert state.program is not None
    feedback = observe(execution, program=state.program, budget=state.task.observation_chars,
                       around=surroundings_of(state, live), full_output=done.full_output)
    update = failed(state, replaced(state, attempt), feedback)
    made = [path for path in state.made if path not in done.changed]
    return {**update, "made": made}


def reason_of(execution: Execution) -> StopReason:
    """The StopReason of an execution that did not complete."""
    return REASONS[execution.limit if execution.outcome == "limit" and execution.limit else execution.outcome]


def detail_of(execution: Execution) -> str:
    """One line for a person: the exception where there is one, else what the runner said."""
    error = execution.error
    if execution.outcome == "error" and error is not None:
        where = f" at line {error.line}" if error.line else ""
        return f"{error.type}{f': {error.message}' if error.message else ''}{where}"[:2000]
    return execution.message
