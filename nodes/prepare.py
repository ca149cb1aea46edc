"""Prepare: the engine and the effective limits for an approved program."""

from langgraph.runtime import Runtime

from ..graph.live import Live
from ..graph.preflight import limits_for, no_engine, pick_engine
from ..graph.state import Prepared, State, Update


def prepare(state: State, runtime: Runtime[Live]) -> Update:
    live, task = runtime.context, state.task
    policy = live.policy(task.policy)
    chosen, skipped, weak = pick_engine(live, task, policy, state.skipped)
    if chosen is None:
        return {"stop": no_engine(skipped, weak), "skipped": skipped}
    limits = limits_for(task, policy, state.plan)
    runtime.stream_writer({"event": "prepared", "engine": chosen.name, "limits": limits.model_dump()})
    return {"prepared": Prepared(engine=chosen.name, limits=limits), "skipped": skipped}
