"""Execute an approved program once: a finished execution that was written down is never repeated on resume."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

from langgraph.runtime import Runtime
from pydantic import BaseModel, ConfigDict

from ..policies.verdict import Approved, sha256_text
from ..sandbox.engine import Engine
from ..sandbox.errors import SandboxError, SandboxFailed, StateLost
from ..sandbox.evidence import RejectedArtifact
from ..sandbox.pool import preload_for
from ..sandbox.session import RunOptions, Session
from .attempts import current
from .errors import Cancelled
from .live import Live
from .programs import attempt_folder, clear_results
from .state import Attempt, State
from .task import Artifact, Evidence, Execution, Task

DELIVERED = "delivered.json"
STDOUT = "stdout.txt"
EARLIER = "earlier"
"""Folder of the workspace with the whole output of programs that printed more than is shown."""
_EARLIER_OUTPUT = f"{EARLIER}/attempt_"
_SHOWN_WHOLE = 4
"""An output below this part of the observation's budget is always shown whole."""


class Executed(BaseModel):
    """What one execution left behind; all large parts are files below the run's folder."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    execution: Execution
    evidence: Evidence
    files: list[Artifact]
    """The workspace after the run, inputs excluded."""
    changed: list[str]
    """Paths that this program wrote or changed."""
    full_output: list[str] = []
    """Workspace files that hold all of a long output, for programs to come."""


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
        with live.telemetry.execution(engine, program_sha256=approved.program_sha256, attempt=number) as noted:
            done = _uncancelled(state, approved, runtime)
            noted.note(fumehood__outcome=done.execution.outcome, fumehood__wall_s=done.execution.wall_s)
        live.store.audit.append(state.run_id, "program_executed", attempt=number, engine=engine,
                                program_sha256=approved.program_sha256, policy_sha256=approved.verdict.policy_sha256,
                                outcome=done.execution.outcome, wall_s=round(done.execution.wall_s, 3))
        return done.model_dump_json()

    text = live.store.once(state.run_id, f"run:{number}:{engine}:{approved.program_sha256[:16]}", make)
    done = Executed.model_validate_json(text)
    runtime.stream_writer({"event": "executed", "outcome": done.execution.outcome, "message": done.execution.message})
    return done


def _uncancelled(state: State, approved: Approved, runtime: Runtime[Live]) -> Executed:
    """Execute, and raise Cancelled where the caller ended it: a killed sandbox must not be taken for the program's end."""
    try:
        done = _execute(state, approved, runtime)
    except SandboxError:
        _stop_if_cancelled(state, runtime.context)
        raise
    _stop_if_cancelled(state, runtime.context)
    return done


def _stop_if_cancelled(state: State, live: Live) -> None:
    if live.sessions.cancelled(state.run_id):
        raise Cancelled("the program was ended by the caller; resume the run to run it again")


def _execute(state: State, approved: Approved, runtime: Runtime[Live]) -> Executed:
    live, task, prepared = runtime.context, state.task, state.prepared
    assert prepared is not None
    run_folder = live.store.folder(state.run_id)
    folder = attempt_folder(run_folder, current(state).number)
    clear_results(folder)
    session = _session(state, approved, live, live.engine(prepared.engine))
    _stop_if_cancelled(state, live)  # while the sandbox was started, there was nothing to kill yet
    tools = {name: live.parts.tools[name] for name in task.tools}

    def on_output(stream: Literal["stdout", "stderr"], data: bytes) -> None:
        runtime.stream_writer({"event": "output", "stream": stream, "text": data.decode("utf-8", "replace")})

    report = session.run(approved.program, limits=prepared.limits, folder=folder, on_output=on_output, tools=tools)
    if report.delivered is not None:
        (folder / DELIVERED).write_text(report.delivered, encoding="utf-8")
    execution = report.execution
    whole = _kept_whole(session, state, run_folder)
    try:
        files, changed, rejected = _collected(session, state, folder / "files", run_folder)
    except SandboxFailed as error:
        # The program ran; whatever it did to its workspace is its own end and never a reason to try another engine.
        files, changed, rejected = state.files, [], []
        execution = execution.model_copy(update={"outcome": "sandbox_failed", "message": str(error)})
    warnings = [*execution.warnings, *report.notes]
    return Executed(execution=execution.model_copy(update={"warnings": warnings}),
                    evidence=report.evidence.model_copy(update={"rejected_artifacts": rejected}),
                    files=files, changed=[path for path in changed if not path.startswith(_EARLIER_OUTPUT)],
                    full_output=whole)


def _kept_whole(session: Session, state: State, run_folder: Path) -> list[str]:
    """Output too long to be shown, put into the workspace for the programs to come. No file where none follows, or where
    there is no room: the observation then says nothing of it."""
    kept = []
    for path, source in _long_outputs(state, [current(state)], run_folder):
        try:
            session.give(path, source)
        except SandboxFailed:
            continue
        kept.append(path)
    return kept


def _long_outputs(state: State, attempts: Sequence[Attempt], run_folder: Path) -> Iterator[tuple[str, Path]]:
    """Workspace path and host file of each output that is too long to be shown whole."""
    if state.task.program is not None:
        return
    for attempt in attempts:
        for name in ("stdout", "stderr"):
            source = attempt_folder(run_folder, attempt.number) / f"{name}.txt"
            if source.exists() and source.stat().st_size > state.task.observation_chars // _SHOWN_WHOLE:
                yield f"{EARLIER}/attempt_{attempt.number}_{name}.txt", source


def _collected(session: Session, state: State, target: Path, run_folder: Path,
               ) -> tuple[list[Artifact], list[str], list[RejectedArtifact]]:
    """The workspace after the run, what of it is new, and what was refused. A sandbox that was killed gives nothing new."""
    if not session.alive:
        return state.files, [], []
    known = {item.path: item.sha256 for item in state.files}
    collected, rejected = session.collect(target, known=known)
    place = target.relative_to(run_folder).as_posix()
    new = {item.path: item.model_copy(update={"stored": f"{place}/{item.stored}"}) for item in collected}
    kept = [item for item in state.files if item.path in session.files and item.path not in new]
    return [*kept, *new.values()], sorted(new), rejected


def _session(state: State, approved: Approved, live: Live, engine: Engine) -> Session:
    """The run's sandbox, or a new one with the workspace, and the variables where they stay, as they were."""
    task = state.task
    assert state.prepared is not None
    found = live.sessions.get(state.run_id, engine.name)
    if found is not None:
        return found
    limits, preload = state.prepared.limits, preload_for(approved.verdict.facts.imports)
    session = Session.open(engine, limits=limits, manifest=task.manifest, run_id=state.run_id, options=options_of(task),
                           preload=preload, source=live.source(engine, limits, preload))
    live.sessions.put(state.run_id, engine.name, session)
    run_folder = live.store.folder(state.run_id)
    files = {item.path: run_folder / item.stored for item in state.files} if task.state != "fresh" else {}
    programs = _completed(state, live, run_folder) if task.state == "process" else []
    for path, source in _long_outputs(state, state.attempts, run_folder):
        with suppress(SandboxFailed):  # no room, as when it was made
            session.give(path, source)
    if files or programs:
        session.restore(files, programs)
    return session


def _completed(state: State, live: Live, run_folder: Path) -> list[str]:
    """The programs of the steps that completed, each still the one that was judged. Raises StateLost."""
    programs: list[str] = []
    for attempt in state.attempts:
        if attempt.execution is None or attempt.execution.outcome != "completed":
            continue
        program = (run_folder / attempt.program).read_text(encoding="utf-8")
        if sha256_text(program) != attempt.program_sha256:
            raise StateLost(f"the session's variables are gone, and {attempt.program} changed since it ran; run again")
        if live.gate(state.task.policy).judge(program, earlier=programs).decision == "deny":
            raise StateLost(f"the session's variables are gone, and the policy in force denies {attempt.program}; run again")
        live.store.audit.append(state.run_id, "program_run_again", attempt=attempt.number,
                                program_sha256=attempt.program_sha256,
                                policy_sha256=live.gate(state.task.policy).policy_sha256)
        programs.append(program)
    return programs


def options_of(task: Task) -> RunOptions:
    """How the sandbox runs the programs of this task."""
    return RunOptions(state=task.state, timezone=task.timezone, seed=task.seed, frozen_time=task.frozen_time)
