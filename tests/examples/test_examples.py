"""Each example answers offline, and a changed cell of its input changes the answer as it must."""

import csv
import importlib
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fumehood.examples.as_a_node.run import Desk, build_desk
from fumehood.examples.energy_anomalies import make_data as energy_data
from fumehood.examples.energy_anomalies import run as energy
from fumehood.examples.refused import run as refused
from fumehood.examples.repaired import run as repaired
from fumehood.examples.retention import make_data as retention_data
from fumehood.examples.retention import run as retention
from fumehood.examples.sales_conversion import run as sales
from fumehood.examples.ventes_par_region import run as ventes
from fumehood.graph.drive import Driver
from fumehood.graph.live import Parts
from fumehood.graph.settings import Settings
from fumehood.graph.state import Outcome
from fumehood.graph.stop import StopReason
from fumehood.graph.task import Task
from langgraph.types import Command

Play = Callable[..., Outcome]


@pytest.fixture
def settings_of(home: Path) -> Callable[[Any], Settings]:
    return lambda module: Settings(home=str(home), engines=["bubblewrap"],
                                   model=f"recording:{Path(module.__file__).parent / 'recording.yml'}")


@pytest.fixture
def play(settings_of: Any) -> Any:
    def run(module: Any, parts: Parts | None = None, **given: Any) -> Outcome:
        settings = settings_of(module)
        driver = Driver(settings, parts)
        task: Task = module.make(settings, **given)
        outcome = driver.start(task)
        driver.live.close()
        return outcome

    return run


def changed(path: Path, old: str, new: str) -> bytes:
    """The file with one cell changed."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    return text.replace(old, new).encode()


@pytest.mark.parametrize("language", ["en", "fr", "uk"])
def test_sales_conversion(play: Play, language: str) -> None:
    outcome = play(sales, goal=sales.GOALS[language])
    rows = list(csv.DictReader((sales.HERE / "sales.csv").read_text().splitlines()))
    daily = [100 * int(row["paid"]) / int(row["leads"]) for row in rows]
    overall = 100 * sum(int(row["paid"]) for row in rows) / sum(int(row["leads"]) for row in rows)
    assert outcome.result["mean_conversion_percent"] == pytest.approx(sum(daily) / 7, abs=0.005) == 3.84
    assert round(overall, 2) != 3.84
    assert [row["conversion_percent"] for row in outcome.result["days"]] == pytest.approx(daily, abs=0.006)
    assert "3.84" in outcome.explanation or "3,84" in outcome.explanation


def test_sales_conversion_follows_its_data(play: Play) -> None:
    outcome = play(sales, data=changed(sales.HERE / "sales.csv", "2026-03-05,395,11", "2026-03-05,395,79"))
    assert outcome.result["days"][3]["conversion_percent"] == 20.0
    assert outcome.result["mean_conversion_percent"] == pytest.approx(3.84 + (20 - 100 * 11 / 395) / 7, abs=0.006)


def test_sales_limits_are_the_tasks(play: Play) -> None:
    limits = play(sales).evidence.limits.requested
    assert (limits["wall_s"], limits["memory_mb"]) == (5, 256)


def test_energy_anomalies(play: Play) -> None:
    outcome = play(energy, energy.parts())
    assert outcome.status == "answered", outcome.message
    assert [item.path for item in outcome.artifacts] == [
        "output/anomalies.csv", "output/anomaly_report.md", "output/energy_anomalies.png"]
    assert all(check.held for check in outcome.checks)
    assert len(outcome.attempts) == 4
    report = Path(outcome.folder) / next(item.stored for item in outcome.artifacts if item.path.endswith(".md"))
    assert report.read_bytes().isascii()


def test_energy_anomalies_follow_their_data(play: Play) -> None:
    reader = csv.reader(io.StringIO((energy.HERE / "building_energy.csv").read_text()))
    rows = [[row[0], "400.00", row[2]] if row[0] == "2026-01-20 15:00" else row for row in reader]
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    data = out.getvalue().encode()
    assert play(energy, energy.parts({*energy.EVENTS, "2026-01-20 15:00"}), data=data).status == "answered"
    assert play(energy, energy.parts(), data=data).attempts[3].reason is StopReason.INVARIANT_FAILED


def test_energy_data_is_what_its_maker_makes() -> None:
    assert (energy.HERE / "building_energy.csv").read_text(encoding="utf-8") == energy_data.text()


def test_ventes_par_region(play: Play) -> None:
    outcome = play(ventes)
    totals: dict[str, float] = {}
    for row in csv.DictReader((ventes.HERE / "ventes.csv").read_text().splitlines()):
        totals[row["region"]] = totals.get(row["region"], 0) + float(row["montant"])
    assert outcome.result["totaux"] == pytest.approx(totals)
    assert outcome.result["meilleure_region"] == max(totals, key=lambda region: totals[region]) == "Sud"
    assert [item.media_type for item in outcome.artifacts] == ["image/png"]
    assert len(outcome.attempts) <= 6


def test_ventes_follow_their_data(play: Play) -> None:
    outcome = play(ventes, data=changed(ventes.HERE / "ventes.csv", "Ouest,Lampes,505.20", "Ouest,Lampes,9505.20"))
    assert outcome.result["meilleure_region"] == "Ouest"


def recomputed(text: str) -> dict[int, list[float]]:
    """Retention by another way: count who leaves in each month, and subtract."""
    sizes: dict[int, int] = {}
    leaving: dict[int, dict[int, int]] = {}
    for row in csv.DictReader(io.StringIO(text)):
        cohort = int(row["signup_month"])
        sizes[cohort] = sizes.get(cohort, 0) + 1
        if row["cancel_month"]:
            after = int(row["cancel_month"]) - cohort
            leaving.setdefault(cohort, {})[after] = leaving.setdefault(cohort, {}).get(after, 0) + 1
    rates: dict[int, list[float]] = {}
    for cohort, size in sizes.items():
        left, rates[cohort] = size, []
        for month in range(13):
            left -= leaving.get(cohort, {}).get(month, 0)
            rates[cohort].append(left / size)
    return rates


def test_retention(play: Play) -> None:
    outcome = play(retention, retention.PARTS)
    assert outcome.status == "answered", outcome.message
    rates = recomputed((retention.HERE / "customers.csv").read_text())
    assert {cohort["signup_month"] for cohort in outcome.result["cohorts"]} == set(rates)
    for cohort in outcome.result["cohorts"]:
        assert cohort["retention"] == pytest.approx(rates[cohort["signup_month"]], abs=1e-6)
    assert {check.name for check in outcome.checks} == set(retention.PARTS.invariants)


def test_retention_follows_its_data(play: Play) -> None:
    before = play(retention, retention.PARTS).result["cohorts"][0]["retention"]
    data = changed(retention.HERE / "customers.csv", "C0001,0,3\n", "C0001,0,\n")
    after = play(retention, retention.PARTS, data=data).result["cohorts"][0]["retention"]
    assert after[:3] == before[:3]
    assert all(new > old for old, new in zip(before[3:], after[3:], strict=True))


def test_retention_data_is_what_its_maker_makes() -> None:
    assert (retention.HERE / "customers.csv").read_text(encoding="utf-8") == retention_data.text()


def test_refused(play: Play) -> None:
    outcome = play(refused)
    assert (outcome.status, outcome.stop_reason) == ("stopped", StopReason.POLICY_DENIED)
    assert outcome.attempts[0].execution is None
    lines = {finding.line for finding in outcome.attempts[0].findings}
    assert {2, 4} <= lines


def test_repaired(play: Play) -> None:
    outcome = play(repaired)
    assert outcome.result == 1234.50 + 987.65 + 2450.00
    assert [attempt.reason is None for attempt in outcome.attempts] == [False, True]


def test_repaired_follows_its_data(play: Play) -> None:
    outcome = play(repaired, data=changed(repaired.HERE / "umsatz.csv", "Kiel;987,65", "Kiel;1.987,65"))
    assert outcome.result == 1234.50 + 1987.65 + 2450.00


def test_as_a_node_asks_through_the_parent_and_resumes(settings_of: Any, home: Path) -> None:
    module = importlib.import_module("fumehood.examples.as_a_node.run")
    desk = build_desk(settings_of(module))
    config: Any = {"configurable": {"thread_id": "one"}}
    waiting = desk.invoke(Desk(question="What is 6 times 7?"), config, version="v2")
    payload = waiting.interrupts[0].value
    assert payload["review_configs"][0]["allowed_decisions"] == ["approve", "edit", "reject", "respond"]
    assert "final_answer(6 * 7)" in payload["action_requests"][0]["args"]["program"]
    done = desk.invoke(Command(resume={"decisions": [{"type": "approve"}]}), config, version="v2")
    assert done.value.answer == "42"
    other: Any = {"configurable": {"thread_id": "two"}}
    letter = desk.invoke(Desk(question="a letter of thanks"), other, version="v2")
    assert letter.value.answer.startswith("Dear reader")
