"""A question asked right at the terminal, and the pause after every node of a step-by-step run."""

import getpass
import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.prompt import Prompt

from ..graph.approval import Decision, Question
from ..graph.drive import Driver
from ..graph.errors import SettingsInvalid
from ..graph.showing import describe
from ..graph.state import Outcome
from ..policies.explain import explain
from ..policies.reading import read_text

DIFF_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def show_question(console: Console, question: Question) -> None:
    """The question's sections, the difference and the findings in colour."""
    for section in describe(question):
        console.print(f"[bold]{escape(section.title)}[/bold]")
        for line in section.lines:
            colour = DIFF_COLOURS.get(line[:1], "") if section.kind == "diff" else ""
            if section.kind == "program" and "^ ERROR" in line:
                colour = "red"
            elif section.kind == "program" and "^ WARNING" in line:
                colour = "yellow"
            text = f"  {escape(line)}"
            console.print(f"[{colour}]{text}[/{colour}]" if colour else text, highlight=False)
        console.print()


def ask_person(driver: Driver, outcome: Outcome) -> Outcome | None:
    """Ask, decide, go on. None where the person leaves the question for later."""
    console = Console(stderr=True, highlight=False)
    pending = driver.live.store.pending(outcome.run_id)
    if pending is None:
        return None
    question = pending.question
    show_question(console, question)
    keys = {"a": "approve", "i": "approve", "e": "edit", "r": "reject", "h": "respond"}
    words = {"a": "approve (a)", "i": "approve this and any identical one in this run (i)", "e": "edit (e)",
             "r": "reject (r)", "h": "respond with a hint (h)", "l": "later (l)"}
    offered = [key for key, kind in keys.items() if kind in question.allowed] + ["l"]
    console.print(", ".join(words[key] for key in offered), markup=False)
    decision = None
    while decision is None:
        choice = Prompt.ask("your decision", choices=offered, default="l", console=console)
        if choice == "l":
            return None
        decision = _decision(choice, driver, question, console)
    return driver.decide(outcome.run_id, decision, by=who())


def _decision(choice: str, driver: Driver, question: Question, console: Console) -> Decision | None:
    """None where nothing was decided after all."""
    binding = question.binding.digest
    if choice in ("a", "i"):
        return Decision(type="approve", binding=binding, always_identical=choice == "i")
    if choice in ("r", "h"):
        said = Prompt.ask("why not" if choice == "r" else "hint for the model", console=console).strip()
        if not said:
            console.print("nothing was said, so nothing is decided")
            return None
        return Decision(type="reject" if choice == "r" else "respond", binding=binding, message=said)
    edited = edit_until_allowed(driver, question, console)
    return None if edited is None else Decision(type="edit", binding=binding, program=edited)


def edit_until_allowed(driver: Driver, question: Question, console: Console) -> str | None:
    """The program as a person changed it. One that the gate denies is shown with the findings and edited again, or left."""
    text = question.program
    while True:
        try:
            edited = edit_text(text)
        except SettingsInvalid as error:
            console.print(str(error), markup=False)
            return None
        if edited in (text, question.program):
            console.print("nothing was changed")
            return None
        verdict = driver.judge_edit(question.run_id, edited)
        if verdict.decision != "deny":
            return edited
        console.print(f"[red]the gate denies the edited program:[/red]\n{escape(explain(edited, verdict.findings))}")
        if Prompt.ask("edit it again (e), leave it (l)", choices=["e", "l"], default="e", console=console) == "l":
            return None
        text = edited


def edit_text(text: str) -> str:
    """The text as it comes back from $VISUAL or $EDITOR. Raises SettingsInvalid where that does not work."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    with tempfile.TemporaryDirectory(prefix="fumehood-edit-") as folder:
        path = Path(folder) / "program.py"
        path.write_text(text, encoding="utf-8")
        try:
            subprocess.run([*shlex.split(editor), str(path)], check=True)
            return read_text(path)
        except (OSError, ValueError, subprocess.CalledProcessError) as error:
            raise SettingsInvalid(f"the editor {editor!r} gave nothing back ({error}); set EDITOR to one that works "
                                  "here") from error


def pause(driver: Driver, outcome: Outcome) -> Outcome | None:
    """After a node of a step-by-step run: show where it stands, then go on or leave."""
    console = Console(stderr=True, highlight=False)
    console.print()  # progress may have left an open line
    console.print(driver.describe_position(outcome.run_id), highlight=False, markup=False, soft_wrap=True)
    while True:
        choice = Prompt.ask("\nnext node (n), leave (q), explain (?)", choices=["n", "q", "?"], default="n",
                            show_choices=False, console=console)
        if choice != "?":
            return None if choice == "q" else driver.resume(outcome.run_id)
        console.print(f"The run stops after every node and shows what the node changed in the state.\n"
                      f"  n  run the next node, then stop again (Enter does the same)\n"
                      f"  q  leave; `fumehood resume {outcome.run_id}` goes on to the end", markup=False, soft_wrap=True)


def who() -> str:
    """The name that a decision is recorded under."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return f"uid {os.getuid()}"
