"""When a run goes round in circles, and when different failures are no repetition."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from fumehood.graph.chat import Reply
from fumehood.graph.progress import error_fingerprint, instruction_for, judge_progress, tree_sha256
from fumehood.graph.reply import Extracted, read_reply
from fumehood.graph.state import Attempt
from fumehood.graph.stop import StopReason
from fumehood.policies.verdict import Finding
from fumehood.sandbox.execution import Execution, ProgramError

CASES = Path(__file__).resolve().parents[1] / "cases"


def case(number: str) -> dict[str, Any]:
    path, = CASES.glob(f"{number}_*.yml")
    loaded: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    return loaded


def crashed(program: str, message: str, *, kind: str = "RuntimeError", step: int = 1, line: int = 1) -> Attempt:
    error = ProgramError(type=kind, message=message, line=line)
    return Attempt(step=step, number=1, tree_sha256=tree_sha256(program), reason=StopReason.RUNTIME_ERROR,
                   execution=Execution(outcome="error", exit_code=1, error=error))


def denied(program: str, *rules: str, reason: StopReason = StopReason.POLICY_DENIED) -> Attempt:
    return Attempt(step=1, number=1, tree_sha256=tree_sha256(program), reason=reason, verdict="deny",
                   findings=[Finding(rule=rule, severity="ERROR", line=1, message="m") for rule in rules])


def judgements(attempts: list[Attempt]) -> list[str]:
    return [judge_progress(attempts[:count]) for count in range(1, len(attempts) + 1)]


def programs(number: str) -> list[str]:
    found = []
    for text in case(number)["input"]["model_replies"]:
        reply = read_reply(Reply(text=text))
        assert isinstance(reply, Extracted)
        found.append(reply.program)
    return found


def test_the_same_failing_program_changes_the_approach_and_then_stops() -> None:
    attempts = [crashed(program, "'b'", kind="KeyError") for program in programs("059")]
    judged = judgements(attempts)
    assert judged[:3] == ["ok", "change", "stop"]
    bounds = case("059")["expect"]
    calls = judged.index("stop") + 1
    assert calls <= bounds["generate_calls"]["max"]
    assert calls <= bounds["executions"]["max"]
    assert all(said in instruction_for("change") for said in bounds["feedback_contains"])


def test_twelve_different_errors_are_no_repetition() -> None:
    attempts = [crashed(program, re.findall(r"failure \d+", program)[0]) for program in programs("061")]
    assert len(attempts) == 12
    assert set(judgements(attempts)) == {"ok"}


def test_the_same_error_of_different_programs() -> None:
    attempts = [crashed(f"x = {i}", "'b'", kind="KeyError", line=i) for i in range(3)]
    assert judgements(attempts) == ["ok", "change", "stop"]


def test_an_address_makes_no_difference_and_a_number_does() -> None:
    same = [crashed(f"x = {i}", f"<object at 0x7f{i}234567> in /tmp/abc{i}") for i in range(2)]
    assert judgements(same) == ["ok", "change"]
    other = [crashed(f"x = {i}", f"row {i} is bad") for i in range(2)]
    assert judgements(other) == ["ok", "ok"]


def test_going_back_and_forth_is_a_repetition() -> None:
    first, second = crashed("a = 1", "one"), crashed("b = 2", "two")
    assert judgements([first, second, first, second, first]) == ["ok", "ok", "change", "replan", "stop"]


def test_a_second_circle_asks_for_a_new_plan_and_a_third_stops() -> None:
    attempts = [crashed(name, name) for name in "aabbcc"]
    assert judgements(attempts) == ["ok", "change", "ok", "replan", "ok", "stop"]


def test_three_denials_by_the_same_rule_stop() -> None:
    attempts = [denied(f"x = {i}", "no-shell", f"other-{i}") for i in range(3)]
    assert judgements(attempts) == ["ok", "change", "stop"]
    assert judgements([denied(f"x = {i}", f"rule-{i}") for i in range(5)]) == ["ok"] * 5
    assert judgements([denied(f"x = {i}", "plan-imports",
                              reason=StopReason.PLAN_VIOLATION) for i in range(3)])[-1] == "stop"


@pytest.mark.parametrize("reason", ["no_code", "bad_reply", "reply_truncated"])
def test_replies_without_a_program_are_counted_by_the_attempts_alone(reason: str) -> None:
    attempts = [Attempt(step=1, number=i, reason=StopReason(reason), detail="the same words") for i in range(3)]
    assert judgements(attempts) == ["ok"] * 3
    assert case("010")["expect"]["stop_reason"] == "attempts_exhausted"


def test_steps_that_delivered_nothing_are_no_failures_but_the_same_program_is() -> None:
    steps = [Attempt(step=i, number=i, tree_sha256=tree_sha256(f"x = {i}"), reason=StopReason.NO_RESULT,
                     detail="no result")
             for i in range(1, 5)]
    assert judgements(steps) == ["ok"] * 4
    again = [Attempt(step=i, number=i, tree_sha256=tree_sha256("print(1)")) for i in range(1, 4)]
    assert judgements(again) == ["ok", "change", "stop"]


def test_an_error_of_an_earlier_step_does_not_count() -> None:
    attempts = [crashed("a", "'b'", step=1), crashed("b", "'b'", step=2), crashed("c", "'b'", step=3)]
    assert judgements(attempts) == ["ok", "ok", "ok"]


@pytest.mark.parametrize(("one", "other"), [
    (Execution(outcome="timeout"), Execution(outcome="out_of_memory")),
    (Execution(outcome="limit", limit="cpu"), Execution(outcome="limit", limit="disk")),
    (Execution(outcome="killed", signal=11), Execution(outcome="killed", signal=7)),
    (Execution(outcome="error", exit_code=1, stderr="a"), Execution(outcome="error", exit_code=1, stderr="b")),
    (Execution(outcome="error", exit_code=1), Execution(outcome="error", exit_code=2))])
def test_endings_are_told_apart(one: Execution, other: Execution) -> None:
    def mark(execution: Execution) -> str | None:
        return error_fingerprint(Attempt(step=1, number=1, reason=StopReason.RUNTIME_ERROR, execution=execution))

    assert mark(one) != mark(other)
    assert mark(one) == mark(one.model_copy(update={"wall_s": 3.0}))


def test_validation_failures_are_told_by_their_words() -> None:
    def attempt(detail: str) -> Attempt:
        return Attempt(step=1, number=1, reason=StopReason.SCHEMA_MISMATCH, detail=detail,
                       execution=Execution(outcome="completed"))

    assert error_fingerprint(attempt("mean is not finite")) != error_fingerprint(attempt("max is not finite"))
    assert error_fingerprint(Attempt(step=1, number=1)) is None


@pytest.mark.parametrize(("one", "other", "same"), [
    ("x = 1", "# why\nx  =  1\n\n", True), ("f('a')", 'f("a")', True), ("x = (1)", "x = 1", True),
    ("x = 1", "x = 2", False), ("f(a)", "f(b)", False), ("x = 1\ny = 2", "y = 2\nx = 1", False),
    ("print(", "print( ", True), ("print(", "print((", False)])
def test_what_makes_programs_the_same(one: str, other: str, same: bool) -> None:
    assert (tree_sha256(one) == tree_sha256(other)) == same


def test_a_program_too_deep_for_a_tree_still_has_a_digest() -> None:
    assert tree_sha256("-" * 5000 + "1") == tree_sha256("-" * 5000 + "1")
    assert tree_sha256("x = " + "+".join("1" * 2000)) != tree_sha256("x = " + "+".join("1" * 2001))


def test_no_attempts_no_judgement() -> None:
    assert judge_progress([]) == "ok"
    assert instruction_for("ok") == instruction_for("stop") == ""
    assert "CANNOT_ANSWER" in instruction_for("replan")
