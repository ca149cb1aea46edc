"""Total per region, a bar chart, the best region: `python examples/ventes_par_region/run.py`."""

from pathlib import Path
from typing import Any

from fumehood.examples.playing import play, settings_for, task_for
from fumehood.graph.settings import Settings
from fumehood.graph.task import Task

HERE = Path(__file__).parent
GOAL = ("Calcule le total des ventes par région à partir de ventes.csv, trace un diagramme en barres dans ventes.png "
        "et donne la meilleure région.")
SCHEMA: dict[str, Any] = {
    "type": "object", "required": ["totaux", "meilleure_region"], "additionalProperties": False,
    "properties": {"totaux": {"type": "object", "additionalProperties": {"type": "number"}},
                   "meilleure_region": {"type": "string"}}}


def make(settings: Settings, data: Path | bytes = HERE / "ventes.csv") -> Task:
    """The task, on the example's data or on other data of the same columns."""
    return task_for(settings, {"ventes.csv": data}, goal=GOAL, result=SCHEMA, max_steps=6,
                    outputs=[{"pattern": "ventes.png", "media_type": "image/png"}])


if __name__ == "__main__":
    chosen = settings_for(HERE)
    play(make(chosen), chosen)
