"""The first program stumbles over separator and decimal comma, hears why, and the second answers."""

from pathlib import Path

from fumehood.examples.playing import play, settings_for, task_for
from fumehood.graph.settings import Settings
from fumehood.graph.task import Task

HERE = Path(__file__).parent


def make(settings: Settings, data: Path | bytes = HERE / "umsatz.csv") -> Task:
    """The task, on the example's data or on other data of the same columns."""
    return task_for(settings, {"umsatz.csv": data}, goal="Sum the column Umsatz of umsatz.csv.", result={"type": "number"})


if __name__ == "__main__":
    chosen = settings_for(HERE)
    play(make(chosen), chosen)
