"""Plan: what the code will need, or that no code is needed, or that the question cannot be answered. A run that goes
round in circles comes here once more for a new plan."""

import time
from collections.abc import Sequence

from langgraph.runtime import Runtime

from ..graph.around import with_what_is_there
from ..graph.asking import ask_within
from ..graph.attempts import deadline
from ..graph.errors import ContextTooLong, ModelError, TimeOver
from ..graph.live import Live
from ..graph.plan_schema import plan_schema
from ..graph.planning import CUT, default_plan, fitted, read_plan, repair_message, replan_message
from ..graph.preflight import limits_for, preflight
from ..graph.previewing import preview_inputs, preview_level
from ..graph.prompts import plan_messages, program_messages
from ..graph.state import Delivered, Message, Plan, State, Stop, Update
from ..graph.stop import StopReason

REPAIRS = 1
"""A planner that did not reply in the right form is asked once more, then the default plan serves."""


def plan(state: State, runtime: Runtime[Live]) -> Update:
    if state.replanning:
        return _plan_again(state, runtime)
    live, task = runtime.context, state.task
    started = state.started or time.time()
    stop = preflight(live, task)
    if stop:
        return {"stop": stop, "started": started}
    try:
        problem = live.chat.unavailable()
    except ModelError as error:
        problem = str(error)
    if problem:
        return {"stop": Stop(reason=StopReason.MODEL_UNAVAILABLE, message=problem), "started": started}
    policy = live.policy(task.policy)
    preview = preview_inputs(live, state, policy)
    runtime.stream_writer({"event": "leaving", "model": live.chat.label, "inputs": [item.name for item in task.inputs],
                           "level": preview_level(task, policy) if task.inputs else "none", "characters": len(preview)})
    made, update = _asked(state, runtime, preview, [])
    update["started"] = started
    if made is None:
        return update
    update["plan"] = made
    if made.refusal:
        return {**update, "stop": Stop(reason=StopReason.CANNOT_ANSWER, message=made.refusal)}
    if not made.needs_code:
        return {**update, "delivered": Delivered(text=made.answer, notes=["answered without running code"])}
    return {**update, "messages": _opening(state, runtime, made, preview)}


def _plan_again(state: State, runtime: Runtime[Live]) -> Update:
    """Another plan, made from how the programs of the first one failed. Where the model gives none the first one stays."""
    assert state.plan is not None
    preview = preview_inputs(runtime.context, state, runtime.context.policy(state.task.policy))
    happened = state.messages[-1].content if state.messages else ""
    made, update = _asked(state, runtime, preview, [replan_message(state.plan, happened)])
    update["replanning"] = False
    if made is None or made.source == "default":
        return update
    made = made.model_copy(update={"needs_code": True, "answer": ""})
    update["plan"] = made
    if made.refusal:
        return {**update, "stop": Stop(reason=StopReason.CANNOT_ANSWER, message=made.refusal)}
    opening = _opening(state, runtime, made, preview)
    return {**update, "messages": [*opening, *state.messages[len(opening):]]}


def _opening(state: State, runtime: Runtime[Live], made: Plan, preview: str) -> list[Message]:
    live, task = runtime.context, state.task
    policy = live.policy(task.policy)
    return program_messages(task, made, preview, with_what_is_there(policy, task, live), limits_for(task, policy, made),
                            libraries=live.libraries(task, policy), tools=live.tool_help(task))


def _asked(state: State, runtime: Runtime[Live], preview: str, more: Sequence[Message]) -> tuple[Plan | None, Update]:
    """The plan, and what asking for it changes: usage, notes, a stop where there is no plan."""
    task, live = state.task, runtime.context
    policy = with_what_is_there(live.policy(task.policy), task, live)
    schema = plan_schema(task, policy)
    messages = [*plan_messages(task, preview, policy, limits_for(task, policy, None),
                               libraries=live.libraries(task, policy), tools=live.tool_help(task)), *more]
    usage, notes, problem, made = state.usage, list(state.notes), "", None
    for number in range(state.planned, state.planned + 1 + REPAIRS):
        try:
            reply, messages = ask_within(state.run_id, f"plan:{number}", messages, runtime, purpose="plan",
                                         schema=schema, index=number, until=deadline(state))
        except (ContextTooLong, TimeOver) as error:
            return None, {"usage": usage, "stop": Stop(reason=StopReason.BUDGET_EXHAUSTED, message=str(error))}
        except ModelError as error:
            return None, {"usage": usage, "stop": Stop(reason=StopReason.MODEL_UNAVAILABLE, message=str(error))}
        usage = usage.plus(reply.usage)
        notes += reply.warnings
        if reply.finish_reason == "absent":
            made = default_plan(task)
            break
        found = CUT if reply.finish_reason == "length" else read_plan(reply.text)
        if isinstance(found, Plan):
            made = fitted(found, task, policy)
            break
        problem = found
        messages = [*messages, *repair_message(reply.text, problem)]
    made = made or default_plan(task, problem)
    notes += [made.warning] if made.warning else []
    return made, {"usage": usage, "planned": number + 1, "notes": list(dict.fromkeys(notes))}
