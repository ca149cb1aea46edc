"""A program that reads a secret and calls out is refused by the gate: `python examples/refused/run.py`."""

import sys
from pathlib import Path

from fumehood.apps.progress import Progress
from fumehood.apps.render import show_outcome
from fumehood.examples.playing import settings_for, task_for
from fumehood.graph.drive import Driver
from fumehood.graph.settings import Settings
from fumehood.graph.stop import StopReason
from fumehood.graph.task import Task
from rich.console import Console

HERE = Path(__file__).parent


def make(settings: Settings) -> Task:
    """The given program, without a model: it enters at the gate."""
    return task_for(settings, {}, goal="report the configuration",
                    program=(HERE / "reads_a_secret.py.txt").read_text(encoding="utf-8"))


if __name__ == "__main__":
    chosen = settings_for(HERE)
    driver = Driver(chosen, on_event=Progress())
    outcome = driver.start(make(chosen))
    show_outcome(Console(highlight=False), outcome, detail=True)
    driver.live.close()
    sys.exit(0 if outcome.stop_reason is StopReason.POLICY_DENIED else 1)
