"""Makes building_energy.csv: eight weeks of hourly readings with planted events, from a fixed seed."""

import csv
import io
import math
import random
from datetime import datetime, timedelta
from pathlib import Path

START = datetime(2026, 1, 5)
HOURS = 8 * 7 * 24
EVENTS = {
    "2026-01-14 02:00": 95.0, "2026-01-14 03:00": 90.0, "2026-01-14 04:00": 85.0,
    "2026-01-24 11:00": 70.0, "2026-01-24 12:00": 75.0,
    "2026-02-04 10:00": -60.0, "2026-02-04 11:00": -60.0,
    "2026-02-13 17:00": 110.0,
    "2026-02-22 23:00": 60.0,
}
"""Hour to kilowatt hours added: a night run, a Saturday, a drop in working hours, a spike, a late Sunday."""


def text() -> str:
    """The file's text."""
    random.seed(20260105)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["timestamp", "energy_kwh", "outdoor_temp_c"])
    for number in range(HOURS):
        when = START + timedelta(hours=number)
        stamp = when.strftime("%Y-%m-%d %H:%M")
        temperature = 4 + 5 * math.sin(2 * math.pi * (when.hour - 9) / 24) + 3 * math.sin(number / 90) + random.gauss(0, 0.7)
        working = when.weekday() < 5 and 8 <= when.hour < 18
        energy = 40 + (60 if working else 0) + 2.2 * max(0.0, 16 - temperature) + random.gauss(0, 2)
        writer.writerow([stamp, f"{energy + EVENTS.get(stamp, 0.0):.2f}", f"{temperature:.1f}"])
    return out.getvalue()


if __name__ == "__main__":
    (Path(__file__).parent / "building_energy.csv").write_text(text(), encoding="utf-8")
