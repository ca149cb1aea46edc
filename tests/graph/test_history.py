"""What a run shows of itself afterwards, how two runs differ, and how one begins in the middle of another."""

from collections.abc import Callable
from typing import Any

import pytest
from fumehood.graph.approval import Decision
from fumehood.graph.errors import StoreError
from fumehood.graph.state import Outcome

ANSWER = "final_answer({n})\nopen('output/n.txt', 'w').write('{n}')"


@pytest.fixture
def finished(bench: Any, code: Callable[[str], str]) -> Outcome:
    """First program fails, second answers 7."""
    outcome: Outcome = bench.run([code("raise ValueError('first')"), code(ANSWER.format(n=7))])
    assert (outcome.status, outcome.result) == ("answered", 7)
    return outcome


def test_the_timeline_tells_nodes_and_events_in_their_order(bench: Any, finished: Outcome) -> None:
    entries = bench.driver.timeline(finished.run_id)
    assert entries == sorted(entries, key=lambda entry: entry["at"])
    events = [entry["event"] for entry in entries]
    assert events[0] == "run_created"
    nodes = [event.removeprefix("node ") for event in events if event.startswith("node ")]
    assert [node for node in nodes if not node.startswith("__")] == bench.nodes
    assert events.count("program_started") == events.count("program_executed") == 2
    assert all("\n" not in entry["detail"] for entry in entries)
    program = next(entry for entry in entries if entry["event"] == "node generate")
    assert "program" in program["detail"]


def test_where_a_run_stands_is_said_after_each_node(bench: Any, code: Callable[[str], str]) -> None:
    outcome = bench.run([code(ANSWER.format(n=1))], approval="always")
    said = bench.driver.describe_position(outcome.run_id)
    assert "check_policy ended" in said
    assert "next: approve" in said
    assert "verdict: nothing ->" in said


def test_two_runs_differ_where_they_differ(bench: Any, finished: Outcome, code: Callable[[str], str]) -> None:
    same = bench.run([code("raise ValueError('first')"), code(ANSWER.format(n=7))])
    assert bench.driver.difference(finished.run_id, same.run_id) == []
    other = bench.run([code("raise ValueError('first')"), code(ANSWER.format(n=8))])
    lines = bench.driver.difference(finished.run_id, other.run_id)
    assert "-    final_answer(7)" in lines
    assert "+    final_answer(8)" in lines
    assert "-result: 7" in lines
    assert "+result: 8" in lines
    assert not any("ValueError" in line for line in lines if line[:1] in "+-")


def test_a_fork_from_the_gate_runs_the_edited_program(bench: Any, finished: Outcome) -> None:
    calls = len(bench.chat.prompts["program"])
    bench.nodes.clear()
    forked = bench.driver.replay(finished.run_id, "check_policy", edited=ANSWER.format(n=42))
    assert (forked.status, forked.result) == ("answered", 42)
    assert bench.nodes == ["check_policy", "prepare", "run", "validate", "finish"]
    assert len(bench.chat.prompts["program"]) == calls, "a fork asked the model again"
    assert [attempt.origin for attempt in forked.attempts] == ["model", "edited"]
    assert forked.run_id != finished.run_id
    store = bench.driver.live.store
    assert store.get(forked.run_id).forked_from == finished.run_id
    assert (store.folder(forked.run_id) / forked.attempts[1].program).read_text() == ANSWER.format(n=42)
    assert (store.folder(finished.run_id) / finished.attempts[1].program).read_text().strip() == ANSWER.format(n=7)
    assert bench.driver.outcome(finished.run_id) == finished, "the old run was changed"
    assert "-result: 7" in bench.driver.difference(finished.run_id, forked.run_id)


def test_a_fork_is_judged_like_any_program(bench: Any, finished: Outcome) -> None:
    denied = bench.driver.replay(finished.run_id, "check_policy", edited="import os\nos.system('id')")
    assert denied.attempts[1].verdict == "deny"
    assert denied.attempts[1].execution is None
    for node in ("prepare", "run", "validate"):
        with pytest.raises(StoreError, match="--from check_policy"):
            bench.driver.replay(finished.run_id, node, edited="print(1)")


@pytest.mark.parametrize("node", ["generate", "check_policy", "prepare", "run", "validate", "finish"])
def test_a_fork_without_an_edit_ends_the_same(bench: Any, finished: Outcome, node: str) -> None:
    forked = bench.driver.replay(finished.run_id, node)
    assert (forked.status, forked.result) == ("answered", 7)
    assert bench.driver.difference(finished.run_id, forked.run_id) == []
    assert [item.sha256 for item in forked.artifacts] == [item.sha256 for item in finished.artifacts]


def test_an_approval_does_not_pass_to_a_fork(bench: Any, code: Callable[[str], str]) -> None:
    waiting = bench.run([code(ANSWER.format(n=1))], approval="always")
    asked = bench.driver.live.store.pending(waiting.run_id)
    done = bench.driver.decide(waiting.run_id, Decision(type="approve", binding=asked.question.binding.digest), by="ann")
    assert done.status == "answered"
    for node in ("prepare", "run"):
        with pytest.raises(StoreError, match="for the old run only"):
            bench.driver.replay(done.run_id, node)
    forked = bench.driver.replay(done.run_id, "check_policy")
    assert forked.status == "waiting"
    assert bench.driver.live.store.pending(forked.run_id).question.run_id == forked.run_id


def test_a_policy_that_changed_since_judges_again(bench: Any, finished: Outcome, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = bench.driver.live.gate("data-analysis")
    monkeypatch.setattr(gate, "policy_sha256", "changed since")
    with pytest.raises(StoreError, match="the policy has changed"):
        bench.driver.replay(finished.run_id, "run")


def test_a_node_that_was_never_reached_is_refused_with_those_that_were(bench: Any, finished: Outcome) -> None:
    with pytest.raises(StoreError, match="never came to 'approve'; it can be forked from plan, generate, check_policy"):
        bench.driver.replay(finished.run_id, "approve")
    with pytest.raises(StoreError, match="no such run"):
        bench.driver.replay("nowhere", "run")


def test_a_given_program_is_forked_with_another_one(bench: Any) -> None:
    outcome = bench.run([], program="final_answer(1)")
    forked = bench.driver.replay(outcome.run_id, "check_policy", edited="final_answer(2)")
    assert (outcome.result, forked.result) == (1, 2)
