"""`run` and `exec`: from the words of the command line to an outcome, printed."""

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..graph.drive import Driver
from ..graph.errors import SettingsInvalid
from ..graph.recording import read_recording
from ..graph.state import Outcome
from ..graph.stop import StopReason
from ..policies.profile_file import find_profile, read_profile
from ..sandbox.engines import engine_named
from ..sandbox.errors import BadRequest
from .asked import make_task, read_program, read_schema, read_text
from .config import read_environment, settings_from
from .deliver import copy_artifacts, keep_workspace
from .exits import code_of, explained, print_json
from .progress import Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """The options of `run` and `exec`, as given."""

    inputs: list[str] = field(default_factory=list)
    sensitive: list[str] = field(default_factory=list)
    schema: Path | None = None
    output: Path | None = None
    expect: list[str] = field(default_factory=list)
    model: str | None = None
    fallback_model: str | None = None
    engine: str | None = None
    timeout: float | None = None
    memory: int | None = None
    cpu: float | None = None
    policy: str | None = None
    approval: str | None = None
    expires: float | None = None
    state: str | None = None
    max_attempts: int | None = None
    max_steps: int | None = None
    max_tokens: int | None = None
    max_seconds: float | None = None
    instructions: str | None = None
    preview: str | None = None
    fallback: Path | None = None
    step: bool = False
    escalate: bool = False
    record: Path | None = None
    keep_workspace: Path | None = None
    quiet: bool = False
    as_json: bool = False


def run_goal(goal: str, request: RunRequest) -> None:
    """`run GOAL`."""
    _execute(goal, request, program=None)


def run_file(file: Path, request: RunRequest) -> None:
    """`exec FILE.py`."""
    with explained(as_json=request.as_json):
        program = read_program(file)
    _execute(f"run {file.name}", request, program=program)


def _execute(goal: str, request: RunRequest, *, program: str | None) -> None:
    with explained(as_json=request.as_json):
        environment = read_environment()
        settings = settings_from(environment, model=request.model, fallback_model=request.fallback_model,
                                 record=str(request.record.absolute()) if request.record else None)
        check_names(settings.model, request.policy or environment.policy, request.engine)
        task = make_task(
            goal=goal, home=settings.home_path, inputs=request.inputs, sensitive=request.sensitive,
            limits={"wall_s": request.timeout, "memory_mb": request.memory, "cpu_s": _cpu(request)},
            result=read_schema(request.schema), outputs=request.expect or None, engine=request.engine,
            policy=request.policy or environment.policy, approval=request.approval,
            approval_expires_s=request.expires, state=request.state,
            max_attempts=request.max_attempts, max_steps=request.max_steps,
            max_tokens=request.max_tokens, max_wall_s=request.max_seconds,
            instructions=read_text(request.instructions) or None, preview=request.preview,
            fallback=read_program(request.fallback) if request.fallback else None,
            escalate=request.escalate or None, program=program)
        driver = Driver(settings, on_event=Progress(quiet=request.quiet or request.as_json),
                        pause_after_nodes=request.step)
        outcome = driver.start(task)
        outcome = settle(driver, outcome, asks=not request.as_json, step=request.step)
        document = delivered(driver, outcome, request.output)
        if request.keep_workspace is not None:
            keep_workspace(outcome, request.keep_workspace)
    present(outcome, document, driver, as_json=request.as_json)


def _cpu(request: RunRequest) -> float | None:
    """Processor seconds follow a longer wall clock where they were not given."""
    if request.cpu is None and request.timeout is not None:
        return max(request.timeout, 1.0)
    return request.cpu


def check_names(model: str | None, policy: str, engine: str | None) -> None:
    """A profile, an engine or a recording that is not there is the caller's slip, said before a run begins.

    Raises SettingsInvalid, PolicyUnreadable.
    """
    read_profile(find_profile(policy))
    if engine:
        try:
            engine_named(engine)
        except BadRequest as error:
            raise SettingsInvalid(str(error)) from error
    if model and model.startswith("recording:"):
        read_recording(model.removeprefix("recording:"))


def delivered(driver: Driver, outcome: Outcome, output: Path | None) -> dict[str, Any]:
    """The outcome's document, its files copied to `output`; while the run waits, with the question a person is asked."""
    document = outcome.document()
    pending = driver.live.store.pending(outcome.run_id) if outcome.status == "waiting" else None
    if pending:
        document["question"] = pending.question.payload()
    elif output is not None:
        document["output"] = copy_artifacts(outcome, output)
    return document


def settle(driver: Driver, outcome: Outcome, *, asks: bool, step: bool = False) -> Outcome:
    """Where a person sits at the terminal, questions are asked right there; elsewhere the run waits in the store."""
    if not (asks and sys.stdin.isatty() and sys.stderr.isatty()):
        return outcome
    from .terminal import ask_person, pause

    while outcome.status == "waiting" or (step and outcome.status == "interrupted"
                                          and outcome.stop_reason is not StopReason.CANCELLED):
        again = ask_person(driver, outcome) if outcome.status == "waiting" else pause(driver, outcome)
        if again is None:
            return outcome
        outcome = again
    return outcome


def present(outcome: Outcome, document: dict[str, Any], driver: Driver, *, as_json: bool) -> None:
    """Print the outcome and end with its exit code."""
    if as_json:
        print_json(document)
    else:
        from rich.console import Console

        from .render import show_outcome
        from .terminal import show_question

        console = Console(highlight=False)
        pending = driver.live.store.pending(outcome.run_id) if outcome.status == "waiting" else None
        if pending:
            show_question(console, pending.question)
        show_outcome(console, outcome, detail=outcome.status not in ("answered", "waiting"))
        if document.get("output"):
            console.print(f"[dim]files copied to {document['output']}[/dim]", soft_wrap=True)
    driver.live.close()
    sys.exit(code_of(outcome.status, outcome.stop_reason))
