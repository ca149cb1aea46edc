"""Every conditional edge by name, with the sequence of nodes it leads through: real gate, real sandbox, scripted model."""

from pathlib import Path
from typing import Any

import pytest
from fumehood.graph.approval import Decision
from fumehood.graph.stop import StopReason
from fumehood.sandbox.bubblewrap import BubblewrapEngine
from fumehood.sandbox.engine import LaunchRequest
from fumehood.sandbox.errors import EngineUnavailable

ONCE = ["check_policy", "prepare", "run", "validate"]
WHOLE = ["plan", "generate", *ONCE, "finish"]
NUMBER = {"type": "number"}


def test_answered(bench: Any, code: Any) -> None:
    outcome = bench.run([code("final_answer(6 * 7)")], result=NUMBER)
    assert bench.nodes == WHOLE
    assert (outcome.status, outcome.result, outcome.shape_from) == ("answered", 42, "caller")
    assert outcome.attempts[0].execution.outcome == "completed"
    assert outcome.evidence.engine == "bubblewrap"


def test_given_program_enters_at_the_gate(bench: Any) -> None:
    outcome = bench.run([], program="print(21 * 2)")
    assert bench.nodes == [*ONCE, "finish"]
    assert outcome.result == 42


def test_denied_then_allowed(bench: Any, code: Any) -> None:
    outcome = bench.run([code("import os\nos.system('id')"), code("print(5)")], result=NUMBER)
    assert bench.nodes == ["plan", "generate", "check_policy", "generate", *ONCE, "finish"]
    assert outcome.result == 5
    assert [attempt.reason for attempt in outcome.attempts] == [StopReason.POLICY_DENIED, None]
    assert outcome.attempts[0].execution is None
    assert "line 2" in bench.chat.prompts["program"][1][-1].content


def test_failed_then_repaired(bench: Any, code: Any) -> None:
    outcome = bench.run([code("print(1 / 0)"), code("print(3)")], result=NUMBER)
    assert bench.nodes == ["plan", "generate", "check_policy", "prepare", "run", "generate", *ONCE, "finish"]
    assert outcome.attempts[0].reason is StopReason.RUNTIME_ERROR
    assert "ZeroDivisionError" in bench.chat.prompts["program"][1][-1].content


def test_invalid_then_valid(bench: Any, code: Any) -> None:
    outcome = bench.run([code("print('\"three\"')"), code("print(3)")], result=NUMBER)
    assert bench.nodes == ["plan", "generate", *ONCE, "generate", *ONCE, "finish"]
    assert [attempt.reason for attempt in outcome.attempts] == [StopReason.SCHEMA_MISMATCH, None]


def test_more_steps(bench: Any, code: Any) -> None:
    outcome = bench.run([code("open('half.txt', 'w').write('20')\nprint('half done')"),
                         code("final_answer(2 * int(open('half.txt').read()))")], result=NUMBER, max_attempts=1)
    assert outcome.result == 40
    assert [(attempt.step, attempt.reason) for attempt in outcome.attempts] == [
        (1, StopReason.SCHEMA_MISMATCH), (2, None)]
    assert "half done" in bench.chat.prompts["program"][1][-1].content


def test_retry_without_code(bench: Any, code: Any) -> None:
    outcome = bench.run(["It is about four.", code("print(4)")], result=NUMBER)
    assert bench.nodes == ["plan", "generate", "generate", *ONCE, "finish"]
    assert outcome.attempts[0].reason is StopReason.NO_CODE


def test_attempts_exhausted(bench: Any, code: Any) -> None:
    outcome = bench.run([code(f"raise RuntimeError('failure {number}')") for number in range(2)], max_attempts=2)
    assert outcome.stop_reason is StopReason.ATTEMPTS_EXHAUSTED
    assert "failure 1" in outcome.message
    assert bench.nodes[-2:] == ["run", "finish"]


def test_fallback_program(bench: Any, code: Any) -> None:
    outcome = bench.run([code("raise RuntimeError('no')")], max_attempts=1, fallback="final_answer(1)", result=NUMBER)
    assert bench.nodes == ["plan", "generate", "check_policy", "prepare", "run", "fall_back", *ONCE, "finish"]
    assert outcome.result == 1
    assert outcome.attempts[-1].origin == "fallback"
    assert any("fallback" in note for note in outcome.notes)


def test_fallback_program_is_judged(bench: Any, code: Any) -> None:
    outcome = bench.run([code("raise RuntimeError('no')")], max_attempts=1, fallback="import os\nos.system('id')")
    assert outcome.status == "stopped"
    assert outcome.attempts[-1].verdict == "deny"
    assert outcome.attempts[-1].execution is None


def test_fallback_fails_once(bench: Any, code: Any) -> None:
    outcome = bench.run([code("raise RuntimeError('no')")], max_attempts=1, fallback="raise ValueError('neither')")
    assert bench.nodes.count("fall_back") == 1
    assert "neither" in outcome.message


class BrokenEngine(BubblewrapEngine):
    """Claims to work and cannot start."""

    name = "broken"

    def launch(self, request: LaunchRequest) -> Any:
        raise EngineUnavailable("broken on purpose")


def test_next_engine(bench: Any, code: Any) -> None:
    home = Path(bench.home)
    engines = [BrokenEngine(home=home), BubblewrapEngine(home=home)]
    outcome = bench.run([code("print(2)")], parts={"engines": engines}, result=NUMBER)
    assert bench.nodes == ["plan", "generate", "check_policy", "prepare", "run", "prepare", "run", "validate", "finish"]
    assert outcome.result == 2
    assert [(item.engine, item.why) for item in outcome.engines_skipped] == [("broken", "broken on purpose")]
    assert outcome.evidence.engine == "bubblewrap"


def test_no_engine_left_stops_and_counts_no_attempt(bench: Any, code: Any) -> None:
    outcome = bench.run([code("print(2)")], parts={"engines": [BrokenEngine(home=Path(bench.home))]})
    assert outcome.stop_reason is StopReason.SANDBOX_UNAVAILABLE
    assert outcome.attempts[0].reason is None
    assert bench.nodes[-2:] == ["prepare", "finish"]


def test_no_engine_before_any_model_call(bench: Any) -> None:
    outcome = bench.run([], parts={"engines": []})
    assert bench.nodes == ["plan", "finish"]
    assert outcome.stop_reason is StopReason.SANDBOX_UNAVAILABLE
    assert bench.chat.prompts["plan"] == []


@pytest.mark.parametrize("program", [
    "import sys\nsys.setrecursionlimit(15000)\nx = []\nfor _ in range(4000):\n    x = [x]\nfinal_answer(x)",
    "from pathlib import Path\nhere = Path('.').resolve()\nhere.rename(here.with_name('gone'))\nprint(1)",
])
def test_a_program_cannot_choose_its_engine_by_breaking_one(bench: Any, program: str) -> None:
    outcome = bench.run([], program=program, result=NUMBER)
    assert outcome.status == "stopped"
    assert outcome.engines_skipped == []
    assert bench.nodes.count("run") == 1


def test_policy_changed_after_the_verdict(bench: Any, code: Any, tmp_path: Path) -> None:
    policy = tmp_path / "mine.toml"
    policy.write_text('extends = "data-analysis"\nname = "mine"\n')
    outcome = bench.run([code("import json\nprint(json.dumps(2))")], approval="always", result=NUMBER, policy=str(policy))
    assert outcome.status == "waiting"
    run_id = outcome.run_id
    policy.write_text('extends = "data-analysis"\nname = "mine"\n\n[remove]\nimports = ["json"]\n')
    pending = bench.driver.live.store.pending(run_id)
    bench.driver.live.close()
    bench.make([code("print(3)")])
    decision = Decision(type="approve", binding=pending.question.binding.digest)
    outcome = bench.driver.decide(run_id, decision, by="somebody")
    assert all(attempt.execution is None for attempt in outcome.attempts if attempt.program_sha256
               == pending.question.binding.program_sha256)


def decided(bench: Any, outcome: Any, kind: str, **said: Any) -> Any:
    pending = bench.driver.live.store.pending(outcome.run_id)
    decision = Decision(type=kind, binding=pending.question.binding.digest, **said)
    bench.nodes.clear()
    return bench.driver.decide(outcome.run_id, decision, by="somebody")


def test_approved(bench: Any, code: Any) -> None:
    outcome = bench.run([code("print(2)")], approval="always", result=NUMBER)
    assert outcome.status == "waiting"
    assert bench.nodes[-1] == "approve"
    outcome = decided(bench, outcome, "approve")
    assert bench.nodes == ["approve", "prepare", "run", "validate", "finish"]
    assert outcome.result == 2
    assert len(bench.chat.prompts["program"]) == 1


def test_edited_is_judged_again(bench: Any, code: Any) -> None:
    outcome = bench.run([code("print(2)")], approval="always", result=NUMBER)
    outcome = decided(bench, outcome, "edit", program="import os\nos.system('id')")
    assert bench.nodes[:2] == ["approve", "check_policy"]
    assert outcome.attempts[1].verdict == "deny"
    assert all(attempt.execution is None for attempt in outcome.attempts)


def test_edited_runs(bench: Any, code: Any) -> None:
    outcome = bench.run([code("print(2)")], approval="always", result=NUMBER)
    outcome = decided(bench, outcome, "edit", program="print(22)")
    assert outcome.result == 22
    assert outcome.attempts[-1].origin == "edited"


def test_rejected(bench: Any, code: Any) -> None:
    outcome = bench.run([code("print(2)")], approval="always")
    outcome = decided(bench, outcome, "reject", message="not on a Sunday")
    assert bench.nodes == ["approve", "finish"]
    assert outcome.stop_reason is StopReason.APPROVAL_REJECTED
    assert "not on a Sunday" in outcome.message


def test_hint(bench: Any, code: Any) -> None:
    outcome = bench.run([code("print(2)"), code("print(3)")], approval="always", result=NUMBER)
    outcome = decided(bench, outcome, "respond", message="three, please")
    assert outcome.status == "waiting"
    assert bench.nodes == ["approve", "generate", "check_policy", "approve"]
    assert "three, please" in bench.chat.prompts["program"][1][-1].content
    assert decided(bench, outcome, "approve").result == 3


def test_stale_is_asked_again(bench: Any, code: Any, tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_text("x\n1\n")
    bench.make([code("print(open('data.csv').read()[2])")])
    task = bench.task({"data.csv": data}, approval="always", result=NUMBER)
    outcome = bench.driver.start(task)
    data.write_text("x\n9\n")
    outcome = decided(bench, outcome, "approve")
    assert bench.nodes == ["approve", "check_policy", "approve"]
    assert (outcome.status, outcome.stop_reason) == ("waiting", StopReason.APPROVAL_STALE)
    assert decided(bench, outcome, "approve").result == 9


def test_approval_never_stops(bench: Any, code: Any) -> None:
    outcome = bench.run([code("print(2)")], approval="never",
                        limits={"wall_s": 20}, result=NUMBER)
    assert outcome.status == "answered"


def test_escalated_to_a_person(bench: Any, code: Any) -> None:
    outcome = bench.run([code("raise RuntimeError('no')"), code("print(8)")], max_attempts=1, escalate=True,
                        result=NUMBER)
    assert outcome.status == "waiting"
    outcome = decided(bench, outcome, "respond", message="just print 8")
    assert outcome.result == 8


def test_cannot_answer_by_plan(bench: Any) -> None:
    outcome = bench.run([], plans=['{"steps": [], "needs_code": true, "refusal": "there is no such data"}'])
    assert bench.nodes == ["plan", "finish"]
    assert outcome.stop_reason is StopReason.CANNOT_ANSWER
    assert "no such data" in outcome.message


def test_no_code_needed(bench: Any) -> None:
    outcome = bench.run([], plans=['{"steps": [], "needs_code": false, "answer": "A mean is a sum over a count."}'])
    assert bench.nodes == ["plan", "finish"]
    assert outcome.status == "answered"
    assert "sum over a count" in outcome.message + outcome.explanation


def test_model_gone(bench: Any) -> None:
    outcome = bench.run([])
    assert outcome.stop_reason is StopReason.MODEL_UNAVAILABLE
    assert bench.nodes == ["plan", "generate", "finish"]


@pytest.mark.parametrize("most", [1, 2])
def test_steps_exhausted(bench: Any, code: Any, most: int) -> None:
    outcome = bench.run([code(f"print('look {number}')") for number in range(most)], max_steps=most, result=NUMBER)
    assert outcome.stop_reason is StopReason.BUDGET_EXHAUSTED
