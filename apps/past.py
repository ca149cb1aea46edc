"""One past or waiting run: show it, decide, go on, fork it."""

from pathlib import Path
from typing import Literal

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ..graph.approval import Decision
from ..graph.drive import Driver
from ..graph.errors import SettingsInvalid
from ..graph.settings import Settings
from ..graph.store import RunStore
from ..sandbox.sweep import sweep_orphans
from .asked import read_program
from .config import read_environment, settings_from
from .exits import explained, print_json
from .progress import Progress
from .run_commands import delivered, present, settle


def _driver(run_id: str, *, quiet: bool = True) -> tuple[Driver, str]:
    """A driver with the settings the run was started with, and the run's whole id."""
    settings = settings_from(read_environment())
    sweep_orphans()
    with RunStore(settings.home_path, settings.database_url) as store:
        found = store.find(run_id)
        started_with = Settings.model_validate_json(store.get(found).settings_json)
    merged = started_with.model_copy(update={"home": settings.home, "database_url": settings.database_url,
                                             "model": started_with.model or settings.model})
    return Driver(merged, on_event=Progress(quiet=quiet)), found


def show_run(run_id: str, *, diff: str | None, as_json: bool) -> None:
    """`show ID`."""
    with explained(as_json=as_json):
        driver, found = _driver(run_id)
        if diff is not None:
            _show_difference(driver, found, driver.live.store.find(diff), as_json=as_json)
            return
        outcome = driver.outcome(found)
        timeline = driver.timeline(found)
        pending = driver.live.store.pending(found)
    if as_json:
        document = {**outcome.document(), "timeline": timeline}
        if pending and outcome.status == "waiting":
            document["question"] = pending.question.payload()
        print_json(document)
        return
    console = Console(highlight=False)
    from .render import show_outcome
    from .terminal import show_question

    last = outcome.attempts[-1] if outcome.attempts else None
    program = (Path(outcome.folder) / last.program) if last and last.program else None
    show_outcome(console, outcome, detail=True, program=program.read_text("utf-8") if program else None)
    if pending and outcome.status == "waiting":
        show_question(console, pending.question)
    table = Table(title="timeline", title_justify="left", box=None, show_header=False)
    for entry in timeline:
        table.add_row(entry["at"], escape(entry["event"]), escape(entry["detail"]))
    console.print(table)


def _show_difference(driver: Driver, one: str, other: str, *, as_json: bool) -> None:
    lines = driver.difference(one, other)
    if as_json:
        print_json({"run_id": one, "other": other, "difference": lines})
    else:
        print("\n".join(lines) or "no difference")


def decide_run(run_id: str, kind: Literal["approve", "edit", "reject", "respond"], *, message: str = "",
               edit: Path | None = None, always_identical: bool = False, shown: str = "", output: Path | None = None,
               quiet: bool = False, as_json: bool = False) -> None:
    """`approve`, `reject`, `respond`. `shown`: how the digest begins that the person has seen."""
    with explained(as_json=as_json):
        if kind in ("reject", "respond") and not message.strip():
            raise SettingsInvalid("say why: the text is empty")
        driver, found = _driver(run_id, quiet=quiet or as_json)
        digest = driver.open_question(found, shown).binding.digest
        program = read_program(edit) if edit else None
        if program is not None:
            check_edit(driver, found, program)
        decision = Decision(type=kind, binding=digest, message=message,
                            always_identical=always_identical, program=program)
        from .terminal import who

        outcome = driver.decide(found, decision, by=who())
        outcome = settle(driver, outcome, asks=not as_json)
        document = delivered(driver, outcome, output)
    present(outcome, document, driver, as_json=as_json)


def check_edit(driver: Driver, run_id: str, program: str) -> None:
    """An edit that the gate denies decides nothing: the question stays open. Raises SettingsInvalid with the findings."""
    from ..policies.explain import explain

    verdict = driver.judge_edit(run_id, program)
    if verdict.decision == "deny":
        raise SettingsInvalid("the gate denies the edited program, so nothing was decided and the run still waits:\n"
                              + explain(program, verdict.findings))


def resume_run(run_id: str, *, output: Path | None, quiet: bool, as_json: bool) -> None:
    """`resume ID`."""
    with explained(as_json=as_json):
        driver, found = _driver(run_id, quiet=quiet or as_json)
        outcome = settle(driver, driver.resume(found), asks=not as_json)
        document = delivered(driver, outcome, output)
    present(outcome, document, driver, as_json=as_json)


def replay_run(run_id: str, node: str, *, edit: Path | None, output: Path | None, quiet: bool, as_json: bool) -> None:
    """`replay ID --from NODE`."""
    with explained(as_json=as_json):
        driver, found = _driver(run_id, quiet=quiet or as_json)
        edited = read_program(edit) if edit else None
        outcome = settle(driver, driver.replay(found, node, edited=edited), asks=not as_json)
        document = delivered(driver, outcome, output)
    present(outcome, document, driver, as_json=as_json)
