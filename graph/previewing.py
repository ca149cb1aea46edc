"""A preview of the inputs for the model, made by fumehood's own inspection program inside a sandbox."""

from typing import get_args

from ..policies.profile import Policy
from ..sandbox.errors import SandboxError
from ..sandbox.session import RunOptions, Session
from .live import Live
from .preflight import limits_for, pick_engine
from .preview import preview_program, render_names, render_preview
from .programs import attempt_folder
from .state import State
from .task import Manifest, Preview, Task

LEVELS: tuple[Preview, ...] = get_args(Preview)


def preview_level(task: Task, policy: Policy) -> Preview:
    """How much a model is shown: what the task says, capped by the policy."""
    return LEVELS[min(LEVELS.index(task.preview), LEVELS.index(policy.preview))]


def preview_inputs(live: Live, state: State, policy: Policy) -> str:
    """What the model is shown of the inputs, as text. A file that no parser can read is named and says so."""
    task = state.task
    level = preview_level(task, policy)
    if level == "none" or not task.inputs:
        return ""
    # Of a sensitive input nothing leaves before a person was asked; that it is there is no secret.
    hidden = [(item.name, item.bytes) for item in task.inputs if item.sensitive]
    if level != "names" and len(hidden) < len(task.inputs):
        text = inspected(live, state, policy)
        if text:
            return "\n".join([render_preview(text, level), *([render_names(hidden)] if hidden else [])])
    return render_names([(item.name, item.bytes) for item in task.inputs])


def inspected(live: Live, state: State, policy: Policy) -> str:
    """What the inspection program found, as JSON text; made once per run, empty where it could not be made."""
    return live.store.once(state.run_id, "preview", lambda: _inspected(live, state, policy))


def _inspected(live: Live, state: State, policy: Policy) -> str:
    chosen, _, _ = pick_engine(live, state.task, policy, state.skipped)
    if chosen is None:
        return ""
    folder = attempt_folder(live.store.folder(state.run_id), 0)
    limits = limits_for(state.task, policy, None)
    try:
        shown = Manifest(inputs=[item for item in state.task.inputs if not item.sensitive])
        session = Session.open(chosen, limits=limits, manifest=shown, run_id=state.run_id,
                               options=RunOptions(state="fresh"))
    except SandboxError:
        return ""
    try:
        return session.run(preview_program(), limits=limits, folder=folder).delivered or ""
    except SandboxError:
        return ""
    finally:
        session.close()
