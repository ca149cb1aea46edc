"""What the documents say is what the code does."""

import re
from pathlib import Path

from fumehood.graph.stop import ADVICE, StopReason

ROOT = Path(__file__).parents[1]


def test_troubleshooting_has_a_true_row_for_every_stop_reason() -> None:
    text = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", text, re.MULTILINE))
    assert list(rows) == [reason.value for reason in StopReason]
    for reason, row in rows.items():
        cause, remedy, again = row.split(" | ")
        assert len(cause) > 10
        assert remedy == ADVICE[StopReason(reason)].next
        assert again == ("yes" if ADVICE[StopReason(reason)].retryable else "no")


def test_every_stop_reason_has_advice() -> None:
    assert set(ADVICE) == set(StopReason)


def test_the_readme_names_tests_that_exist() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for path, name in re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text):
        assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8"), (path, name)
