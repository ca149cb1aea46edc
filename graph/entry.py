"""The edge of the state: what callers and parent graphs send is made into what the nodes rely on."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from langgraph.runtime import Runtime
from pydantic import ValidationError

from .errors import SettingsInvalid
from .state import State, Update
from .store import RunStore, new_run_id
from .task import Task


@dataclass(frozen=True, slots=True)
class Entry:
    state: State
    update: Update


def enter(state: State, store: RunStore, runtime: Runtime[Any]) -> Entry:
    """The state with a real Task and a run id, and what of that must be written down.

    LangGraph does not coerce a dict input, so a server's or a parent's task arrives as a mapping.
    Raises SettingsInvalid when the task is no task.
    """
    if isinstance(state.task, Task) and state.run_id:
        return Entry(state, {})
    task = _task(state.task)
    run_id = state.run_id or _run_id(runtime)
    store.create(run_id, task, settings_json="{}")
    update: Update = {"task": task, "run_id": run_id}
    return Entry(replace(state, **update), update)


def _task(given: object) -> Task:
    if isinstance(given, Task):
        return given
    if not isinstance(given, Mapping):
        raise SettingsInvalid(f"the graph's input needs a task, got {type(given).__name__}; pass {{'task': Task(...)}}")
    try:
        return Task.model_validate(cast("Mapping[str, Any]", given))
    except ValidationError as error:
        raise SettingsInvalid(f"the task is not valid: {error}") from error


def _run_id(runtime: Runtime[Any]) -> str:
    """Stable for a node that runs again on resume: derived from the thread where there is one."""
    info = runtime.execution_info
    if info is None or info.thread_id is None:
        return new_run_id()
    place = info.checkpoint_ns.rpartition("|")[0]
    return "t" + hashlib.sha256(f"{info.thread_id}\0{place}".encode()).hexdigest()[:15]
