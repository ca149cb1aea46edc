"""Generate: the smallest program for this step, taken from one reply of the model."""

from collections.abc import Sequence
from dataclasses import replace

from langgraph.runtime import Runtime

from ..graph.asking import ask_within
from ..graph.attempts import begun, deadline, failed, told
from ..graph.chat import ToolRequest
from ..graph.errors import ContextTooLong, ModelError, TimeOver
from ..graph.live import Live
from ..graph.programs import keep_program
from ..graph.progress import tree_sha256
from ..graph.reply import Extracted, Refused, read_reply
from ..graph.state import Delivered, Message, State, Stop, Update
from ..graph.stop import StopReason
from ..graph.terminal import clipped
from ..policies.verdict import sha256_text

_KEPT_OF_NO_PROGRAM = 800
"""Characters that stay in the conversation of a reply without a program."""


def generate(state: State, runtime: Runtime[Live]) -> Update:
    number = len(state.attempts) + 1
    replies = sum(attempt.origin == "model" for attempt in state.attempts)
    try:
        reply, messages = ask_within(state.run_id, f"program:{number}", state.messages, runtime, purpose="program",
                                     index=replies, until=deadline(state))
    except (ContextTooLong, TimeOver) as error:
        return {"stop": Stop(reason=StopReason.BUDGET_EXHAUSTED, message=str(error))}
    except ModelError as error:
        return {"stop": Stop(reason=StopReason.MODEL_UNAVAILABLE, message=str(error))}
    spoken = reply.text or _calls(reply.tool_calls)
    update: Update = {"usage": state.usage.plus(reply.usage), "verdict": None, "approved": None, "origin": "model"}
    if reply.warnings:
        update["notes"] = list(dict.fromkeys([*state.notes, *reply.warnings]))
    taken = read_reply(reply)
    if isinstance(taken, Refused):
        # A model that reads its own rambling goes on with it.
        spoken = clipped(spoken, _KEPT_OF_NO_PROGRAM)
    said = told(replace(state, messages=messages), Message(role="assistant", content=spoken))
    if isinstance(taken, Extracted):
        path = keep_program(runtime.context.store.folder(state.run_id), number, taken.program)
        attempts = begun(state, program=path, program_sha256=sha256_text(taken.program),
                         tree_sha256=tree_sha256(taken.program), prose=taken.prose[:4000], complete=taken.complete,
                         notes=taken.notes[:6])
        return {**update, "messages": said, "program": taken.program, "attempts": attempts}
    return {**update, **_without_program(state, taken, said)}


def _without_program(state: State, refused: Refused, said: list[Message]) -> Update:
    if refused.cannot_answer:
        return {"messages": said, "stop": Stop(reason=StopReason.CANNOT_ANSWER, message=refused.cannot_answer)}
    earlier = [attempt for attempt in state.attempts if attempt.execution and attempt.step < state.step]
    if refused.complete and earlier and state.task.result is None and not state.task.outputs:
        shown = earlier[-1].execution
        return {"messages": said, "program": None,
                "delivered": Delivered(text=shown.stdout if shown else "", notes=["the model marked the end"])}
    attempts = begun(state, reason=refused.reason, detail=refused.message)
    return failed(replace(state, messages=said), attempts, refused.message)


def _calls(calls: Sequence[ToolRequest]) -> str:
    return "\n".join(f"{call.name}({call.arguments[:2000]})" for call in calls)
