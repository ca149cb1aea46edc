"""Twelve-month retention by cohort, held by invariants: `python examples/retention/run.py`."""

from pathlib import Path
from typing import Any

from fumehood.examples.playing import play, settings_for, task_for
from fumehood.graph.live import Parts
from fumehood.graph.settings import Settings
from fumehood.graph.task import Task

HERE = Path(__file__).parent
GOAL = ("From customers.csv compute the retention of each signup cohort for months 0 to 12: the share of its customers who "
        "are still subscribed so many months after the month of signup. A customer who cancels in month m is not subscribed "
        "in m.")
SCHEMA: dict[str, Any] = {
    "type": "object", "required": ["cohorts"], "additionalProperties": False,
    "properties": {"cohorts": {"type": "array", "minItems": 1, "items": {
        "type": "object", "required": ["signup_month", "customers", "retention"], "additionalProperties": False,
        "properties": {"signup_month": {"type": "integer"}, "customers": {"type": "integer", "minimum": 1},
                       "retention": {"type": "array", "minItems": 13, "maxItems": 13, "items": {"type": "number"}}}}}}}


def starts_whole(result: Any, folder: Path) -> bool | str:
    """Month 0 is 100 %: whoever signed up was subscribed."""
    return all(cohort["retention"][0] == 1 for cohort in result["cohorts"]) or "month 0 is not 100 % everywhere"


def never_rises(result: Any, folder: Path) -> bool | str:
    """Who has left does not come back."""
    rising = [cohort["signup_month"] for cohort in result["cohorts"]
              if any(later > earlier for earlier, later in zip(cohort["retention"], cohort["retention"][1:], strict=False))]
    return not rising or f"retention rises in cohorts {rising}"


def rates_are_shares(result: Any, folder: Path) -> bool | str:
    """Every rate lies in 0 to 1."""
    return all(0 <= rate <= 1 for cohort in result["cohorts"] for rate in cohort["retention"]) or "a rate is outside 0 to 1"


PARTS = Parts(invariants={"starts_whole": starts_whole, "never_rises": never_rises, "rates_are_shares": rates_are_shares})


def make(settings: Settings, data: Path | bytes = HERE / "customers.csv") -> Task:
    """The task, on the example's data or on other data of the same columns."""
    return task_for(settings, {"customers.csv": data}, goal=GOAL, result=SCHEMA, invariants=list(PARTS.invariants))


if __name__ == "__main__":
    chosen = settings_for(HERE)
    play(make(chosen), chosen, PARTS)
