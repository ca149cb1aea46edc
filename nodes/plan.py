"""Plan: what the code will need, or that no code is needed, or that the question cannot be answered."""

import time

from langgraph.runtime import Runtime

from ..graph.asking import ask_once
from ..graph.errors import ModelError
from ..graph.live import Live
from ..graph.planning import PLAN_SCHEMA, default_plan, fitted, read_plan, repair_message
from ..graph.preflight import limits_for, preflight
from ..graph.previewing import preview_inputs, preview_level
from ..graph.prompts import plan_messages, program_messages
from ..graph.state import Delivered, Plan, State, Stop, Update, Usage
from ..graph.stop import StopReason
from ..graph.task import Task
from ..policies.profile import Policy
from ..sandbox.importable import not_installed

REPAIRS = 1
"""A planner that did not reply in the right form is asked once more, then the default plan serves."""


def plan(state: State, runtime: Runtime[Live]) -> Update:
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
    shown = preview_level(task, policy)
    runtime.stream_writer({"event": "leaving", "model": live.chat.label, "level": shown if task.inputs else "none",
                           "inputs": [item.name for item in task.inputs], "characters": len(preview)})
    try:
        made, usage = _planned(state, runtime, preview)
    except ModelError as error:
        return {"stop": Stop(reason=StopReason.MODEL_UNAVAILABLE, message=str(error)), "started": started}
    update: Update = {"plan": made, "usage": usage, "started": started}
    if made.warning:
        update["notes"] = [*state.notes, made.warning]
    if made.refusal:
        return {**update, "stop": Stop(reason=StopReason.CANNOT_ANSWER, message=made.refusal)}
    if not made.needs_code:
        return {**update, "delivered": Delivered(text=made.answer, notes=["answered without running code"])}
    limits = limits_for(task, policy, made)
    return {**update, "messages": program_messages(
        task, made, preview, _with_what_is_there(policy, task, live), limits, libraries=live.libraries(task, policy),
        tools=live.tool_help(task))}


def _with_what_is_there(policy: Policy, task: Task, live: Live) -> Policy:
    """The policy as a model is told of it: without imports that the sandbox serving the task does not have."""
    for engine in live.engines(policy, task.engine):
        if engine.unavailable() is None:
            missing = not_installed(policy.imports, engine.name, live.settings.home_path)
            return policy.model_copy(update={"imports": [name for name in policy.imports if name not in missing]})
    return policy


def _planned(state: State, runtime: Runtime[Live], preview: str) -> tuple[Plan, Usage]:
    task, live = state.task, runtime.context
    policy = live.policy(task.policy)
    messages = plan_messages(task, preview, _with_what_is_there(policy, task, live), limits_for(task, policy, None),
                             libraries=live.libraries(task, policy), tools=live.tool_help(task))
    usage, problem = state.usage, ""
    for number in range(1 + REPAIRS):
        reply = ask_once(state.run_id, f"plan:{number}", messages, runtime, purpose="plan", schema=PLAN_SCHEMA,
                         index=number)
        usage = usage.plus(reply.usage)
        if reply.finish_reason == "absent":
            return default_plan(task), usage
        found = read_plan(reply.text)
        if isinstance(found, Plan):
            return fitted(found, task), usage
        problem = found
        messages = [*messages, *repair_message(reply.text, problem)]
    return default_plan(task, problem), usage
