"""Execute an approved program once: a finished execution that was written down is never repeated on resume."""

from pathlib import Path
from typing import Literal

from langgraph.runtime import Runtime
from pydantic import BaseModel, ConfigDict

from ..policies.verdict import Approved, sha256_text
from ..sandbox.engine import Engine
from ..sandbox.errors import SandboxFailed
from ..sandbox.session import RunOptions, Session
from .attempts import current
from .errors import StateLost
from .live import Live
from .programs import attempt_folder
from .state import State
from .task import Artifact, Evidence, Execution, Task


class Executed(BaseModel):
    """What one execution left behind; all large parts are files below the run's folder."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    execution: Execution
    evidence: Evidence
    files: list[Artifact]
    """The workspace after the run, inputs excluded."""
    changed: list[str]
    """Paths that this program wrote or changed."""


def execute_once(state: State, approved: Approved, runtime: Runtime[Live]) -> Executed:
    """Run the program, or give back the execution that was recorded for this attempt and engine.

    Raises EngineUnavailable or SandboxFailed (the next engine may serve), LimitsNotEnforced, InputChanged, BadRequest,
    StateLost.
    """
    live = runtime.context
    assert state.prepared is not None
    number, engine = current(state).number, state.prepared.engine

    def make() -> str:
        live.store.audit.append(state.run_id, "program_started", attempt=number, engine=engine,
                                program_sha256=approved.program_sha256, policy_sha256=approved.verdict.policy_sha256)
        done = _execute(state, approved, runtime)
        live.store.audit.append(state.run_id, "program_executed", attempt=number, engine=engine,
                                program_sha256=approved.program_sha256, policy_sha256=approved.verdict.policy_sha256,
                                outcome=done.execution.outcome, wall_s=round(done.execution.wall_s, 3))
        return done.model_dump_json()

    text = live.store.once(state.run_id, f"run:{number}:{engine}:{approved.program_sha256[:16]}", make)
    done = Executed.model_validate_json(text)
    runtime.stream_writer({"event": "executed", "outcome": done.execution.outcome, "message": done.execution.message})
    return done


def _execute(state: State, approved: Approved, runtime: Runtime[Live]) -> Executed:
    live, task, prepared = runtime.context, state.task, state.prepared
    assert prepared is not None
    engine = live.engine(prepared.engine)
    folder = attempt_folder(live.store.folder(state.run_id), current(state).number)
    session = _session(state, live, engine)
    tools = {name: live.parts.tools[name] for name in task.tools}

    def on_output(stream: Literal["stdout", "stderr"], data: bytes) -> None:
        runtime.stream_writer({"event": "output", "stream": stream, "text": data.decode("utf-8", "replace")})

    report = session.run(approved.program, limits=prepared.limits, folder=folder, on_output=on_output, tools=tools)
    if report.execution.outcome == "sandbox_failed":
        raise SandboxFailed(report.execution.message)
    if report.delivered is not None:
        (folder / "delivered.json").write_text(report.delivered, encoding="utf-8")
    execution, evidence, files = report.execution, report.evidence, state.files
    if session.alive:
        collected, rejected = session.collect(folder / "files")
        files = [_stored(item, folder, live.store.folder(state.run_id)) for item in collected]
        evidence = evidence.model_copy(update={"rejected_artifacts": rejected})
    if task.state == "fresh" or not session.alive:
        live.sessions.close(state.run_id)
    before = {item.path: item.sha256 for item in state.files}
    changed = [item.path for item in files if before.get(item.path) != item.sha256]
    return Executed(execution=execution, evidence=evidence, files=files, changed=changed)


def _session(state: State, live: Live, engine: Engine) -> Session:
    """The run's sandbox, or a new one with the workspace as the last program left it."""
    task = state.task
    assert state.prepared is not None
    found = live.sessions.get(state.run_id, engine.name)
    if found is not None and found.alive:
        return found
    session = Session.open(engine, limits=state.prepared.limits, manifest=task.manifest, run_id=state.run_id,
                           options=options_of(task))
    live.sessions.put(state.run_id, engine.name, session)
    if task.state != "fresh":
        session.restore(live.store.folder(state.run_id), state.files)
    if task.state == "process":
        _replay(state, live, session)
    return session


def _replay(state: State, live: Live, session: Session) -> None:
    """Variables of a lost session: the steps that completed run again, each still the program that was judged."""
    assert state.prepared is not None
    run_folder = live.store.folder(state.run_id)
    for attempt in state.attempts:
        if attempt.execution is None or attempt.execution.outcome != "completed":
            continue
        program = (run_folder / attempt.program).read_text(encoding="utf-8")
        if sha256_text(program) != attempt.program_sha256:
            raise StateLost(f"the session's variables are gone, and {attempt.program} changed since it ran; run again")
        folder = attempt_folder(run_folder, attempt.number) / "replayed"
        folder.mkdir(exist_ok=True)
        again = session.run(program, limits=state.prepared.limits, folder=folder)
        if again.execution.outcome != "completed":
            raise StateLost(f"the session's variables are gone, and step {attempt.step} did not run again: "
                            f"{again.execution.message}")


def options_of(task: Task) -> RunOptions:
    return RunOptions(state=task.state, timezone=task.timezone, seed=task.seed, frozen_time=task.frozen_time)


def _stored(artifact: Artifact, folder: Path, run_folder: Path) -> Artifact:
    place = (folder / "files").relative_to(run_folder).as_posix()
    return artifact.model_copy(update={"stored": f"{place}/{artifact.stored or artifact.path}"})
