"""The graph, in the order of the picture. The only file that says where a run goes."""

from collections.abc import Callable, Hashable
from typing import Any, cast

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from ..nodes.approve import approve
from ..nodes.check_policy import check_policy
from ..nodes.fall_back import fall_back
from ..nodes.finish import finish
from ..nodes.generate import generate
from ..nodes.plan import plan
from ..nodes.prepare import prepare
from ..nodes.run import run
from ..nodes.validate import validate
from .entry import enter, leave
from .live import Live, Parts, live_for
from .routes import (
    after_approve,
    after_check_policy,
    after_generate,
    after_plan,
    after_prepare,
    after_run,
    after_start,
    after_validate,
)
from .settings import Settings
from .state import State, Update

Node = Callable[[State, Runtime[Live]], Update]
ENDED: dict[Hashable, str] = {"exhausted": "finish", "unavailable": "finish", "fallback": "fall_back",
                              "escalated": "approve"}
AGAIN: dict[Hashable, str] = {"replan": "plan"}


def build_graph(settings: Settings | None = None, parts: Parts | None = None) -> StateGraph[State, Settings]:
    """The uncompiled graph; the caller picks the checkpointer.

    `settings` serve runs that bring no Settings as their context (a parent graph's context is of another type).
    `parts` are live objects of a Python caller, used by every run of this graph.
    """
    bound = _Binder(settings, parts)
    graph: StateGraph[State, Settings] = StateGraph(State, context_schema=Settings)

    for node in (plan, generate, check_policy, approve, prepare, run, validate, fall_back, finish):
        graph.add_node(node.__name__, bound(node), input_schema=State)

    graph.add_conditional_edges(START, after_start, {"goal": "plan", "program": "check_policy"})
    graph.add_conditional_edges("plan", after_plan, {"planned": "generate", "answered": "finish", "stopped": "finish"})
    graph.add_conditional_edges("generate", after_generate,
                                {"written": "check_policy", "retry": "generate", "ended": "finish", **AGAIN, **ENDED})
    graph.add_conditional_edges("check_policy", after_check_policy,
                                {"allowed": "prepare", "review": "approve", "denied": "generate", **AGAIN,
                                 **ENDED})
    graph.add_conditional_edges("approve", after_approve,
                                {"approved": "prepare", "edited": "check_policy", "hint": "generate",
                                 "rejected": "finish", "stale": "check_policy"})
    graph.add_conditional_edges("prepare", after_prepare, {"ready": "run", "unavailable": "finish"})
    graph.add_conditional_edges("run", after_run,
                                {"completed": "validate", "failed": "generate", "engine_down": "prepare",
                                 "outdated": "check_policy", **AGAIN, **ENDED})
    graph.add_conditional_edges("validate", after_validate,
                                {"valid": "finish", "invalid": "generate", "more": "generate", **AGAIN, **ENDED})
    graph.add_edge("fall_back", "check_policy")
    graph.add_edge("finish", END)
    return graph


def compile_graph(
    settings: Settings | None = None, parts: Parts | None = None, *, checkpointer: BaseCheckpointSaver[Any] | None = None
) -> CompiledStateGraph[State, Settings, State, State]:
    """The graph compiled with the given checkpointer, or with none."""
    return build_graph(settings, parts).compile(checkpointer=checkpointer, name="fumehood")


class _Binder:
    """Gives each node the live parts instead of the settings they are made from."""

    def __init__(self, settings: Settings | None, parts: Parts | None) -> None:
        self._settings = settings
        self._parts = parts
        self._own: dict[str, Live] = {}

    def _live(self, context: object) -> Live:
        settings = context if isinstance(context, Settings) else self._settings or Settings()
        if self._parts is None:
            return live_for(settings)
        key = settings.model_dump_json()
        return self._own.setdefault(key, Live(settings, self._parts))

    def __call__(self, node: Node) -> Any:
        def bound(state: State, runtime: Runtime[Settings]) -> Update:
            live = self._live(runtime.context)
            entry = enter(state, live.store, cast("Runtime[Any]", runtime))
            if entry.state.asked:
                live.store.settle(entry.state.run_id, entry.state.asked)
            update = node(entry.state, cast("Runtime[Any]", runtime).override(context=live))
            return {**entry.update, **leave(update)}

        bound.__name__ = node.__name__
        return bound
