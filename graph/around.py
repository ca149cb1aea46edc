"""What is known around the programs of a run: what can be imported, and what of the inputs a model may see."""

from ..policies.profile import Policy
from ..sandbox.importable import not_installed
from .hints import Surroundings
from .live import Live
from .preview import known_of
from .previewing import inspected, preview_level
from .state import State
from .task import Task


def surroundings_of(state: State, live: Live) -> Surroundings:
    """For the hints of an observation. Columns and encodings only where the level of the preview shows them anyway."""
    task = state.task
    policy = live.policy(task.policy)
    assert state.prepared is not None
    missing = not_installed(policy.imports, state.prepared.engine, live.settings.home_path)
    names = [item.name for item in task.inputs]
    shown = task.program is None and preview_level(task, policy) in ("schema", "rows")
    looked_at = shown and not all(item.sensitive for item in task.inputs)
    columns, encodings = known_of(inspected(live, state, policy)) if looked_at else ({}, {})
    return Surroundings(imports=[name for name in policy.imports if name not in missing], columns=columns,
                        encodings=encodings, inputs=names)


def with_what_is_there(policy: Policy, task: Task, live: Live) -> Policy:
    """The policy as a model is told of it: without imports that the sandbox serving the task does not have."""
    for engine in live.engines(policy, task.engine):
        if engine.unavailable() is None:
            missing = not_installed(policy.imports, engine.name, live.settings.home_path)
            return policy.model_copy(update={"imports": [name for name in policy.imports if name not in missing]})
    return policy
