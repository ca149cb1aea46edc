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
from ..graph.showing import describe
from ..graph.state import Outcome

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
    keys = {"a": "approve", "e": "edit", "r": "reject", "h": "respond"}
    offered = {key: kind for key, kind in keys.items() if kind in question.allowed}
    words = ", ".join(f"{kind} ({key})" for key, kind in offered.items())
    choice = Prompt.ask(f"{words}, later (l)", choices=[*offered, "l"], default="l", console=console)
    if choice == "l":
        return None
    decision = _decision(offered[choice], question, console)
    return None if decision is None else driver.decide(outcome.run_id, decision, by=who())


def _decision(kind: str, question: Question, console: Console) -> Decision | None:
    binding = question.binding.digest
    if kind == "approve":
        return Decision(type="approve", binding=binding)
    if kind == "reject":
        return Decision(type="reject", binding=binding, message=Prompt.ask("why not", console=console))
    if kind == "respond":
        return Decision(type="respond", binding=binding, message=Prompt.ask("hint for the model", console=console))
    edited = edit_text(question.program)
    if edited == question.program:
        console.print("nothing was changed")
        return None
    return Decision(type="edit", binding=binding, program=edited)


def edit_text(text: str) -> str:
    """The text as it comes back from $VISUAL or $EDITOR."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    with tempfile.TemporaryDirectory(prefix="fumehood-edit-") as folder:
        path = Path(folder) / "program.py"
        path.write_text(text, encoding="utf-8")
        subprocess.run([*shlex.split(editor), str(path)], check=True)
        return path.read_text(encoding="utf-8")


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
