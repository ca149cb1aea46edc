"""Check policy: the gate's verdict for exactly these bytes, and whether a person must be asked as well."""

from dataclasses import replace

from langgraph.runtime import Runtime

from ..graph.approval import inputs_sha256
from ..graph.attempts import begun, current, failed, replaced
from ..graph.consent import reasons_to_ask
from ..graph.live import Live
from ..graph.observation import feedback_for_findings
from ..graph.preflight import check_task
from ..graph.programs import keep_program
from ..graph.progress import tree_sha256
from ..graph.state import State, Stop, Update
from ..graph.stop import StopReason
from ..policies.errors import GateUnavailable, PolicyInvalid
from ..policies.explain import places, worth_saying
from ..policies.verdict import Needs, Verdict, approve_program, sha256_text


def check_policy(state: State, runtime: Runtime[Live]) -> Update:
    live, task = runtime.context, state.task
    begin: Update = {}
    if state.program is None:
        begin = _given(state, live)
        state = replace(state, **begin)
    assert state.program is not None
    try:
        policy = live.policy(task.policy)
        check_task(task, policy, runtime.context.parts)
        verdict = live.gate(task.policy).judge(
            state.program, needs=_needs(state), earlier=_earlier(state, live), inputs_sha256=inputs_sha256(task.inputs),
            known_outputs=[item.path for item in state.files])
    except (GateUnavailable, PolicyInvalid) as error:
        return {**begin, "stop": Stop(reason=StopReason.POLICY_UNAVAILABLE, message=str(error))}
    attempt = current(state).model_copy(update={"verdict": verdict.decision, "findings": verdict.findings})
    live.store.audit.append_once(
        state.run_id, f"judged:{attempt.number}:{verdict.program_sha256[:16]}", "program_judged",
        decision=verdict.decision, program_sha256=verdict.program_sha256, policy_sha256=verdict.policy_sha256,
        inputs_sha256=verdict.inputs_sha256, rules=sorted({finding.rule for finding in verdict.findings}))
    runtime.stream_writer({"event": "judged", "decision": verdict.decision,
                           "findings": [finding.model_dump() for finding in worth_saying(state.program, verdict.findings)]})
    base: Update = {**begin, "verdict": verdict}
    if verdict.decision == "deny":
        attempt = attempt.model_copy(update={"reason": _reason(verdict), "detail": _summary(state.program, verdict)})
        feedback = feedback_for_findings(state.program, verdict)
        return {**base, **failed(state, replaced(state, attempt), feedback)}
    asks = reasons_to_ask(task, policy, verdict, live.parts)
    attempts = replaced(state, attempt)
    if not asks:
        return {**base, "attempts": attempts, "approved": approve_program(state.program, verdict)}
    if task.approval == "never" or policy.approval == "never":
        reason = StopReason.POLICY_DENIED
        message = f"A person would have to approve this, and approval is set to never: {'; '.join(asks)}"
        attempts = replaced(state, attempt.model_copy(update={"reason": reason, "detail": message}))
        return {**base, "attempts": attempts, "program": None, "stop": Stop(reason=reason, message=message)}
    return {**base, "attempts": attempts, "approved": None}


def _given(state: State, live: Live) -> Update:
    """A caller's own program enters here."""
    program = live.gate_source(state.task.program or "")
    path = keep_program(live.store.folder(state.run_id), 1, program)
    attempts = begun(state, program=path, program_sha256=sha256_text(program), tree_sha256=tree_sha256(program),
                     origin="given")
    return {"program": program, "origin": "given", "attempts": attempts}


def _needs(state: State) -> Needs | None:
    """Only a model's own program is held to its plan; a person's edit is not."""
    return state.plan.needs if state.plan and state.plan.source == "model" and state.origin == "model" else None


def _earlier(state: State, live: Live) -> list[str]:
    """In a session whose variables stay, what earlier programs defined is in scope."""
    if state.task.state != "process":
        return []
    folder = live.store.folder(state.run_id)
    ran = [attempt for attempt in state.attempts if attempt.execution is not None]
    return [(folder / attempt.program).read_text(encoding="utf-8") for attempt in ran]


def _reason(verdict: Verdict) -> StopReason:
    if verdict.syntax_error:
        return StopReason.SYNTAX_ERROR
    return StopReason.PLAN_VIOLATION if verdict.plan_violation else StopReason.POLICY_DENIED


def _summary(program: str, verdict: Verdict) -> str:
    """Where, and by which rules; the attempt's findings say why, and what to write instead."""
    return f"Denied: {places(program, [item for item in verdict.findings if item.severity == 'ERROR'])}"
