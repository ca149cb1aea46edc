"""Approve: a person decides whether this very program may run. The question waits in the store, not in this process."""

import time

from langgraph.errors import GraphInterrupt
from langgraph.runtime import Runtime
from langgraph.types import interrupt

from ..graph.approval import (
    Approve,
    Binding,
    Decision,
    Edit,
    Expired,
    Question,
    Reject,
    Respond,
    Settled,
    Stale,
    settle,
    settled_before,
)
from ..graph.asking_people import asked_at, current_binding, is_overdue, make_question, refreshed_inputs
from ..graph.attempts import begun, current, replaced, told
from ..graph.live import Live
from ..graph.programs import keep_program
from ..graph.progress import tree_sha256
from ..graph.state import Message, State, Stop, Update
from ..graph.stop import StopReason
from ..policies.verdict import approve_program, sha256_text


def approve(state: State, runtime: Runtime[Live]) -> Update:
    live = runtime.context
    question = make_question(state, live)
    binding = current_binding(state, live, question)
    before = _settled_before(state, live, question, binding)
    if before is not None:
        return _applied(before, state, live, question)
    if runtime.execution_info is None or runtime.execution_info.thread_id is None:
        return {"stop": Stop(reason=StopReason.APPROVAL_UNAVAILABLE,
                             message="A person must approve this program, and without a checkpointer nothing can wait: "
                                     + "; ".join(question.reasons))}
    live.store.ask(state.run_id, question)
    live.store.audit.append_once(state.run_id, f"asked:{question.question_id}", "approval_requested",
                                 question=question.question_id, binding=question.binding.digest,
                                 program_sha256=question.binding.program_sha256)
    try:
        return _decided_update(state, live, question)
    except BaseException:
        live.store.let_go(state.run_id, state.asked + 1)
        raise


def _decided_update(state: State, live: Live, question: Question) -> Update:
    decision = _decided(state, live, question)
    settled = settle(question, decision, current_binding(state, live, question))
    live.store.audit.append_once(
        state.run_id, f"decided:{question.question_id}", "approval_decided", question=question.question_id,
        decision=type(settled).__name__.lower(), binding=question.binding.digest,
        edited_sha256=sha256_text(settled.program) if isinstance(settled, Edit) else None,
        by=_by(live, state, question))
    asked = asked_at(live, state.run_id, question.question_id)
    update = _applied(settled, state, live, question)
    return {**update, "asked": state.asked + 1, "waited_s": state.waited_s + max(0.0, time.time() - asked)}


def _decided(state: State, live: Live, question: Question) -> Decision | None:
    """The one decision that counts: the store's. An answer that comes by a resume is put there first, or refused.

    The interrupt is looked at first: a stored decision must not hide that a second answer has come.
    """
    while True:
        try:
            answer = interrupt(question.payload())
        except GraphInterrupt:
            decision = live.store.decision(state.run_id, question.question_id)
            if decision is not None or is_overdue(live, state, question):
                return decision
            live.sessions.close(state.run_id)
            raise
        decision = live.store.answer(state.run_id, question, answer, number=state.asked + 1, by="caller")
        if decision is not None or is_overdue(live, state, question):
            return decision


def _settled_before(state: State, live: Live, question: Question, binding: Binding) -> Approve | Respond | None:
    earlier = [(item.question, item.decision) for item in live.store.questions(state.run_id)
               if item.question.question_id != question.question_id]
    return settled_before(earlier, binding, question.verdict.findings)


def _by(live: Live, state: State, question: Question) -> str:
    return next((item.decided_by for item in live.store.questions(state.run_id)
                 if item.question.question_id == question.question_id), "")


def _applied(settled: Settled, state: State, live: Live, question: Question) -> Update:
    """What a decision changes."""
    match settled:
        case Approve():
            assert state.verdict is not None
            return {"approved": approve_program(question.program, state.verdict, person=True), "stale": False}
        case Edit(program):
            return _edited(program, state, live)
        case Reject(message):
            return _stopped(state, StopReason.APPROVAL_REJECTED, f"A person rejected the program: {message}")
        case Expired():
            return _stopped(state, StopReason.APPROVAL_EXPIRED, "Nobody decided within the time given")
        case Respond(message):
            return _sent_back(message, state)
        case Stale(changed):
            keep_program(live.store.folder(state.run_id), current(state).number, question.program)
            note = f"asked again, since {', '.join(changed)} changed after it was shown"
            return {"verdict": None, "approved": None, "stale": True, "notes": [*state.notes, note],
                    "task": state.task.model_copy(update={"inputs": refreshed_inputs(state.task.inputs)})}


def _edited(program: str, state: State, live: Live) -> Update:
    """The person's program goes on; what the model's own failed with before it does not count any more."""
    path = keep_program(live.store.folder(state.run_id), len(state.attempts) + 1, program)
    attempts = state.attempts
    if attempts and state.program is not None:
        attempts = replaced(state, current(state).model_copy(update={"detail": "a person edited it before it ran"}))
    begin = begun(state, program=path, program_sha256=sha256_text(program), tree_sha256=tree_sha256(program),
                  origin="edited")
    return {"program": program, "origin": "edited", "attempts": [*attempts, begin[-1]], "verdict": None,
            "approved": None, "stop": None, "stale": False, "forgiven": len(attempts),
            "resort": "escalated" if state.stop else state.resort}


def _sent_back(message: str, state: State) -> Update:
    """The model hears the hint; what failed before it does not count against the attempts any more."""
    attempts = state.attempts
    if attempts and state.program is not None:
        attempts = replaced(state, current(state).model_copy(
            update={"reason": StopReason.APPROVAL_REJECTED, "detail": f"sent back by a person: {message}"}))
    said = f"A person looked at the program and sent it back: {message}\nWrite another program that heeds this."
    return {"messages": told(state, Message(role="user", content=said)), "attempts": attempts, "program": None,
            "approved": None, "stop": None, "stale": False, "forgiven": len(attempts),
            "resort": "escalated" if state.stop else state.resort}


def _stopped(state: State, reason: StopReason, message: str) -> Update:
    attempts = state.attempts
    if attempts and state.program is not None:
        attempts = replaced(state, current(state).model_copy(update={"reason": reason, "detail": message}))
    return {"attempts": attempts, "stop": Stop(reason=reason, message=message)}
