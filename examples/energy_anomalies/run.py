"""Abnormal energy use in several steps, with a chart and a report: `python examples/energy_anomalies/run.py`."""

import csv
from pathlib import Path
from typing import Any

from fumehood.examples.energy_anomalies.make_data import EVENTS
from fumehood.examples.playing import play, settings_for, task_for
from fumehood.graph.live import Parts
from fumehood.graph.settings import Settings
from fumehood.graph.task import Task

HERE = Path(__file__).parent
GOAL = ("Find the abnormal energy use in building_energy.csv, given hour, weekday and outdoor temperature. Write the "
        "abnormal hours to output/anomalies.csv, a chart to output/energy_anomalies.png, and a report in plain ASCII to "
        "output/anomaly_report.md that names the method and explains each event from the three columns only.")
OUTPUTS = [{"pattern": "output/anomalies.csv", "media_type": "text/csv"},
           {"pattern": "output/energy_anomalies.png", "media_type": "image/png"},
           {"pattern": "output/anomaly_report.md"}]
COLUMNS = {"timestamp", "energy_kwh", "outdoor_temp_c"}


def anomalies_hold(expected: set[str]) -> Any:
    """The check that anomalies.csv holds exactly these hours, with the input's three columns."""

    def check(result: Any, folder: Path) -> bool | str:
        with (folder / "output" / "anomalies.csv").open(encoding="utf-8", newline="") as handle:
            rows = list(csv.DictReader(handle))
        if rows and not set(rows[0]) >= COLUMNS:
            return f"anomalies.csv lacks columns: {sorted(COLUMNS - set(rows[0]))}"
        found = {row["timestamp"][:16] for row in rows}
        wrong = sorted(found ^ expected)
        return not wrong or f"anomalies.csv differs from what happened in {wrong[:5]}"

    return check


def report_holds(result: Any, folder: Path) -> bool | str:
    """The report is ASCII, names a method, and mentions every event's date."""
    raw = (folder / "output" / "anomaly_report.md").read_bytes()
    if not raw.isascii():
        return "the report is not plain ASCII"
    text = raw.decode("ascii")
    if "z-score" not in text.lower() and "median" not in text.lower():
        return "the report does not name its method"
    with (folder / "output" / "anomalies.csv").open(encoding="utf-8", newline="") as handle:
        missing = sorted({row["timestamp"][:10] for row in csv.DictReader(handle)} - _dates(text))
    return not missing or f"the report does not explain {missing}"


def _dates(text: str) -> set[str]:
    return {text[at:at + 10] for at in range(len(text) - 9) if text[at + 4:at + 5] == "-" and text[at + 7:at + 8] == "-"}


def make(settings: Settings, data: Path | bytes = HERE / "building_energy.csv") -> Task:
    """The task, on the example's data or on other data of the same columns."""
    return task_for(settings, {"building_energy.csv": data}, goal=GOAL, outputs=OUTPUTS, max_steps=25, max_attempts=5,
                    invariants=["anomalies", "report"], limits={"wall_s": 60, "cpu_s": 60, "memory_mb": 1024})


def parts(expected: set[str] | None = None) -> Parts:
    """The validators of both files."""
    return Parts(invariants={"anomalies": anomalies_hold(set(EVENTS) if expected is None else expected),
                             "report": report_holds})


if __name__ == "__main__":
    chosen = settings_for(HERE)
    play(make(chosen), chosen, parts())
