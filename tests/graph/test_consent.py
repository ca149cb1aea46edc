"""Every reason for which a person is asked, alone and together."""

from pathlib import Path
from typing import Any

import pytest
from fumehood.graph.consent import reasons_to_ask
from fumehood.graph.live import Parts
from fumehood.graph.task import Limits, Task, inputs_from
from fumehood.policies.profile import load_policy
from fumehood.policies.verdict import Facts, Finding, Verdict

POLICY = load_policy("data-analysis")


def verdict(decision: Any = "allow", *findings: Finding, tools: tuple[str, ...] = ()) -> Verdict:
    return Verdict(decision=decision, program_sha256="p", policy_sha256="q", inputs_sha256="i", findings=list(findings),
                   facts=Facts(tools=list(tools)))


def finding(severity: Any) -> Finding:
    return Finding(rule="no-it", severity=severity, line=3, message="It may take long.")


def asked(*, policy: Any = POLICY, judged: Verdict | None = None, parts: Parts | None = None, **task: Any) -> list[str]:
    return reasons_to_ask(Task.model_validate({"goal": "x", **task}), policy, judged or verdict(), parts or Parts())


def test_a_plain_program_is_asked_about_by_nobody() -> None:
    assert asked() == []
    assert asked(judged=verdict("allow", finding("INFO"))) == []


@pytest.mark.parametrize(("judged", "said"), [
    (verdict("review", finding("WARNING")), "line 3: It may take long."),
    (verdict("review"), "the policy wants a person to look at this kind of program")])
def test_the_verdict_asks(judged: Verdict, said: str) -> None:
    assert asked(judged=judged) == [said]


@pytest.mark.parametrize("name", sorted(POLICY.approval_limits.model_dump()))
def test_a_limit_above_its_level_asks_and_one_at_it_does_not(name: str) -> None:
    level = POLICY.approval_limits.model_dump()[name]
    at = Limits.model_validate({**Limits().model_dump(), name: level})
    above = Limits.model_validate({**Limits().model_dump(), name: level + 1})
    assert asked(limits=at) == []
    assert asked(limits=above) == [f"{name} {level + 1:g} is above {level:g}, the most that needs no approval"]


def test_a_tool_that_is_marked_asks_where_the_program_calls_it() -> None:
    parts = Parts(approve_tools=frozenset({"pay", "book"}))
    assert asked(parts=parts, judged=verdict(tools=("look",))) == []
    assert asked(parts=parts, judged=verdict(tools=("look", "pay"))) == ["tool pay is marked to be approved"]


def test_a_sensitive_input_asks(tmp_path: Path) -> None:
    (tmp_path / "people").mkdir()
    (tmp_path / "people" / "pay.csv").write_text("x")
    given = {"a.csv": b"1", "people": tmp_path / "people"}
    assert asked(inputs=inputs_from(given, spool=tmp_path / "spool")) == []
    marked = inputs_from(given, spool=tmp_path / "spool", sensitive=["people"])
    assert asked(inputs=marked) == ["sensitive inputs: people/pay.csv"]
    with pytest.raises(ValueError, match=r"no input is named 'pay\.csv'.*a\.csv, people"):
        inputs_from(given, spool=tmp_path / "spool", sensitive=["pay.csv"])


def test_always_asks_by_the_task_and_by_the_policy() -> None:
    always = POLICY.model_copy(update={"approval": "always"})
    for reasons in (asked(approval="always"), asked(policy=always), asked(policy=always, approval="always"),
                    asked(policy=always, approval="never")):
        assert reasons == ["every program is to be approved"]


def test_reasons_come_together(tmp_path: Path) -> None:
    inputs = inputs_from({"a": b"1"}, spool=tmp_path, sensitive=["a"])
    reasons = asked(judged=verdict("review", finding("WARNING"), tools=("pay",)), approval="always", inputs=inputs,
                    parts=Parts(approve_tools=frozenset({"pay"})))
    assert len(reasons) == 4
