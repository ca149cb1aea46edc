"""What the examples share: a task, a recording beside it, and the outcome printed."""

import os
import sys
from pathlib import Path
from typing import Any

from fumehood.apps.config import read_environment, settings_from
from fumehood.apps.progress import Progress
from fumehood.apps.render import show_outcome
from fumehood.graph.drive import Driver
from fumehood.graph.live import Parts
from fumehood.graph.settings import Settings
from fumehood.graph.state import Outcome
from fumehood.graph.task import Task, inputs_from
from rich.console import Console


def settings_for(example: Path) -> Settings:
    """The environment's settings, with FUMEHOOD_MODEL or else the example's own recording as the model."""
    environment = read_environment()
    return settings_from(environment, model=os.environ.get("FUMEHOOD_MODEL") or f"recording:{example / 'recording.yml'}")


def task_for(settings: Settings, files: dict[str, Path | str | bytes], **given: Any) -> Task:
    """A task with its input files."""
    return Task.model_validate({"inputs": inputs_from(files, spool=settings.home_path / "spool"), **given})


def play(task: Task, settings: Settings, parts: Parts | None = None) -> Outcome:
    """Run the task and print its outcome; ends the process with 1 where it was not answered."""
    driver = Driver(settings, parts, on_event=Progress())
    outcome = driver.start(task)
    show_outcome(Console(highlight=False), outcome)
    driver.live.close()
    if outcome.status != "answered":
        sys.exit(1)
    return outcome
