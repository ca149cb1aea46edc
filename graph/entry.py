"""The edge of the state: what callers and parent graphs send is made into what the nodes rely on."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, cast

from langgraph.runtime import Runtime
from pydantic import ValidationError

from ..policies.verdict import sha256_text
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

    LangGraph does not coerce a dict input, so a server's or a parent's task arrives as a mapping. And it lays a new input
    over what a thread holds already: another task, or one more after an outcome, is a run of its own and finds nothing of
    the one before. Raises SettingsInvalid when the task is no task.
    """
    task = _task(state.task)
    entered = task_digest(task)
    if state.run_id and state.entered == entered and state.outcome is None:
        return Entry(state, {})
    run_id = state.run_id if state.run_id and not state.entered else _run_id(runtime, after=state.run_id)
    # A first node that is executed again after a kill comes here again.
    store.create(run_id, task, settings_json="{}", exist_ok=True)
    if state.entered and state.outcome is None:
        store.set_status(state.run_id, "interrupted", message=f"its thread was given another task, run {run_id}")
    begun = State(task=task, run_id=run_id, entered=entered)
    update = {item.name: getattr(begun, item.name) for item in fields(State)
              if getattr(begun, item.name) != getattr(state, item.name)}
    return Entry(begun, cast("Update", update))


def leave(update: Update) -> Update:
    """What a node changed; a task that it changed itself stays the task of this run."""
    return {**update, "entered": task_digest(update["task"])} if "task" in update else update


def task_digest(task: Task) -> str:
    """The same before and after a checkpoint: over validated data, in which 20 and 20.0 are one number."""
    return sha256_text(Task.model_validate_json(task.model_dump_json()).model_dump_json())


def _task(given: object) -> Task:
    if isinstance(given, Task):
        return given
    if not isinstance(given, Mapping):
        raise SettingsInvalid(f"the graph's input needs a task, got {type(given).__name__}; pass {{'task': Task(...)}}")
    try:
        return Task.model_validate(cast("Mapping[str, Any]", given))
    except ValidationError as error:
        raise SettingsInvalid(f"the task is not valid: {error}") from error


def _run_id(runtime: Runtime[Any], *, after: str) -> str:
    """Stable for a node that runs again on resume: derived from the thread, and the run before, where there is one."""
    info = runtime.execution_info
    if info is None or info.thread_id is None:
        return new_run_id()
    place = info.checkpoint_ns.rpartition("|")[0]
    return "t" + hashlib.sha256(f"{info.thread_id}\0{place}\0{after}".encode()).hexdigest()[:15]
