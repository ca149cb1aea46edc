"""The sales example from end to end, offline."""

import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from ..graph.drive import Driver
from .asked import make_task
from .config import read_environment, settings_from
from .exits import code_of, explained, print_json
from .progress import Progress
from .render import attempt_view, plan_view, program_of, program_view, show_outcome

GOAL = ("Show the conversion rate (paid / leads) for each of the 7 days as a table, "
        "and the mean of the daily rates in per cent.")
SCHEMA: dict[str, Any] = {
    "type": "object", "required": ["days", "mean_conversion_percent"], "additionalProperties": False,
    "properties": {
        "days": {"type": "array", "minItems": 7, "maxItems": 7, "items": {
            "type": "object", "required": ["day", "leads", "paid", "conversion_percent"], "additionalProperties": False,
            "properties": {"day": {"type": "string"}, "leads": {"type": "integer"}, "paid": {"type": "integer"},
                           "conversion_percent": {"type": "number"}}}},
        "mean_conversion_percent": {"type": "number"}}}


def example_file(name: str) -> Path:
    """A file of the shipped examples."""
    return Path(str(files("fumehood.examples"))) / "sales_conversion" / name


def run_demo(*, engine: str | None, goal: str | None, model: str | None, as_json: bool) -> None:
    """Plan, program, verdict, run, answer and evidence of the sales example, readably."""
    console = Console(highlight=False)
    with explained(as_json=as_json):
        environment = read_environment()
        recording = f"recording:{example_file('recording.yml')}"
        settings = settings_from(environment, model=model or recording)
        task = make_task(goal=goal or GOAL, home=settings.home_path, inputs=[str(example_file("sales.csv"))],
                         limits={"wall_s": 5, "memory_mb": 256, "cpu_s": 5}, result=SCHEMA, engine=engine,
                         policy=environment.policy)
        if not as_json:
            console.print(f"[bold]Goal[/bold]  {escape(task.goal)}")
            console.print("[dim]Input sales.csv; limits 5 s, 256 MB, no network; "
                          f"model: {escape(settings.model or '')}[/dim]\n")
        driver = Driver(settings, on_event=Progress(quiet=as_json))
        outcome = driver.start(task)
    if as_json:
        print_json(outcome.document())
    else:
        console.print()
        if outcome.plan:
            console.print(plan_view(outcome.plan))
        for attempt in outcome.attempts:
            if attempt.program:
                console.print(program_view(program_of(attempt, outcome.folder), title=f"program, attempt {attempt.number}"))
            console.print(attempt_view(attempt, outcome.folder))
        show_outcome(console, outcome)
        _next_steps(console)
    driver.live.close()
    sys.exit(code_of(outcome.status, outcome.stop_reason))


def _next_steps(console: Console) -> None:
    command = "fumehood" if Path(sys.argv[0]).name == "fumehood" else "python -m fumehood.apps.cli"
    shown = Path(sys.argv[0]).parent / command if command == "fumehood" else command
    console.print("\n[bold]Try next[/bold]")
    for line in (
        f"{shown} exec my_program.py --input my.csv           your own program and data, no model",
        f"{shown} run 'total per region' --input my.csv --model paste    any chat as the model, by copy and paste",
        f"OPENAI_API_KEY=… {shown} run 'total per region' --input my.csv --model openai:NAME",
        f"{shown} doctor                                      what works on this machine, and how strong it is",
    ):
        console.print(f"  {escape(line)}", soft_wrap=True)
