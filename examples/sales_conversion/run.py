"""Conversion per day as a table, and the mean of the daily rates: `python examples/sales_conversion/run.py [GOAL]`."""

import sys
from pathlib import Path

from fumehood.apps.demo import GOAL, SCHEMA
from fumehood.examples.playing import play, settings_for, task_for
from fumehood.graph.settings import Settings
from fumehood.graph.task import Task

HERE = Path(__file__).parent
GOALS = {
    "en": GOAL,
    "fr": ("Montre le taux de conversion (paid / leads) pour chacun des 7 jours, "
           "et la moyenne des taux journaliers en pour cent."),
    "uk": "Покажи конверсію (paid / leads) за кожен із 7 днів таблицею та середнє денних значень у відсотках.",
}


def make(settings: Settings, data: Path | bytes = HERE / "sales.csv", goal: str = GOAL) -> Task:
    """The task, on the example's data or on other data of the same columns."""
    return task_for(settings, {"sales.csv": data}, goal=goal, result=SCHEMA,
                    limits={"wall_s": 5, "cpu_s": 5, "memory_mb": 256})


if __name__ == "__main__":
    chosen = settings_for(HERE)
    play(make(chosen, goal=sys.argv[1] if len(sys.argv) > 1 else GOAL), chosen)
