"""The question for a person, made from the state: the same state gives the same question in any process."""

import time
from collections.abc import Sequence

from ..policies.profile import Policy
from ..policies.verdict import Verdict, sha256_text
from .approval import Binding, Question, build_question, inputs_sha256
from .consent import reasons_to_ask
from .live import Live
from .preflight import limits_for
from .state import State
from .task import InputFile, Task, inputs_digest


def make_question(state: State, live: Live) -> Question:
    """About the candidate program; after used-up attempts, about the last one, which cannot be approved as it is."""
    task, policy = state.task, live.policy(state.task.policy)
    escalated = state.stop is not None
    program, verdict = _subject(state, live)
    reasons = [state.stop.message] if state.stop else reasons_to_ask(task, policy, verdict, live.parts)
    return build_question(
        run_id=state.run_id, number=len(state.attempts), goal=task.goal, program=program, verdict=verdict,
        limits=limits_for(task, policy, state.plan).model_dump(), engine=_engines(live, policy, task),
        inputs=task.inputs, reasons=reasons, policy=policy.name, approvers=policy.approvers,
        plan_needs=state.plan.needs if state.plan else None,
        ceiling={"imports": policy.imports, "tools": policy.tools},
        limits_usual=policy.approval_limits.model_dump(), previous=_last_approved(state, live),
        allowed=("edit", "respond", "reject") if escalated else ("approve", "edit", "reject", "respond"),
        expires_s=task.approval_expires_s, asked_before=state.asked, stale=state.stale)


def current_binding(state: State, live: Live, question: Question) -> Binding:
    """What would run now: policy, limits, and the inputs and the program file as they lie on the disk at this moment."""
    policy = live.policy(state.task.policy)
    program_sha256 = question.binding.program_sha256
    if state.program is not None and state.attempts:
        path = live.store.folder(state.run_id) / state.attempts[-1].program
        program_sha256 = _file_sha256(path.read_bytes()) if path.is_file() else "missing"
    return Binding(program_sha256=program_sha256, policy_sha256=live.gate(state.task.policy).policy_sha256,
                   inputs_sha256=inputs_sha256(state.task.inputs, reread=True),
                   limits=limits_for(state.task, policy, state.plan).model_dump(),
                   engine=_engines(live, policy, state.task))


def refreshed_inputs(inputs: Sequence[InputFile]) -> list[InputFile]:
    """The inputs with the digests and sizes that they have now."""
    return [item.model_copy(update={"sha256": inputs_digest(item.open_path()), "bytes": item.open_path().stat().st_size})
            if item.open_path().is_file() else item for item in inputs]


def is_overdue(live: Live, state: State, question: Question) -> bool:
    """Whether the time to decide is over."""
    if question.expires_s is None:
        return False
    return time.time() > asked_at(live, state.run_id, question.question_id) + question.expires_s


def asked_at(live: Live, run_id: str, question_id: str) -> float:
    """Unix time at which the question was first put; now, where it was not."""
    return next((item.asked for item in live.store.questions(run_id) if item.question.question_id == question_id),
                time.time())


def _engines(live: Live, policy: Policy, task: Task) -> str:
    """The engines that would be tried, in their order."""
    return ", ".join(engine.name for engine in live.engines(policy, task.engine))


def _subject(state: State, live: Live) -> tuple[str, Verdict]:
    if state.program is not None and state.verdict is not None:
        return state.program, state.verdict
    folder = live.store.folder(state.run_id)
    last = next((item for item in reversed(state.attempts) if item.program), None)
    program = (folder / last.program).read_text(encoding="utf-8") if last else ""
    return program, Verdict(decision="deny", program_sha256=sha256_text(program),
                            policy_sha256=live.gate(state.task.policy).policy_sha256,
                            inputs_sha256=inputs_sha256(state.task.inputs), findings=last.findings if last else [])


def _last_approved(state: State, live: Live) -> str | None:
    for attempt in reversed(state.attempts[:-1]):
        if attempt.execution is not None:
            return (live.store.folder(state.run_id) / attempt.program).read_text(encoding="utf-8")
    return None


def _file_sha256(data: bytes) -> str:
    return sha256_text(data.decode("utf-8", "surrogatepass"))
