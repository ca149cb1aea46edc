"""Questions, answers and what a decision means when it is looked at later."""

from pathlib import Path
from typing import Any

import pytest
from fumehood.graph.approval import (
    Approve,
    Binding,
    Decision,
    Edit,
    Expired,
    Question,
    Reject,
    Respond,
    Stale,
    build_question,
    decision_from,
    inputs_sha256,
    settle,
    settled_before,
)
from fumehood.graph.errors import AnswerInvalid
from fumehood.graph.showing import annotated, describe, describe_text, difference
from fumehood.graph.task import inputs_from
from fumehood.policies.verdict import Facts, Finding, Needs, Verdict, sha256_text

PROGRAM = "import pandas as pd\nprint(pd.read_csv('data.csv').sum())\n"


def verdict_for(program: str, *findings: Finding, **given: Any) -> Verdict:
    return Verdict(decision="review", program_sha256=sha256_text(program), policy_sha256="policy", inputs_sha256="inputs",
                   findings=list(findings), **given)


def question_for(program: str = PROGRAM, *findings: Finding, **given: Any) -> Question:
    return build_question(**{
        "run_id": "r", "number": 1, "goal": "sum", "program": program, "verdict": verdict_for(program, *findings),
        "limits": {"wall_s": 20, "memory_mb": 512}, "engine": "docker", **given})


def decision(question: Question, kind: Any, **given: Any) -> Decision:
    return Decision(type=kind, binding=question.binding.digest, **given)


def test_the_same_state_gives_the_same_question_in_any_process() -> None:
    assert question_for() == question_for()
    assert question_for(limits={"memory_mb": 512.0, "wall_s": 20.0}).question_id == question_for().question_id
    ids = {question_for().question_id, question_for("print(2)").question_id, question_for(number=2).question_id,
           question_for(asked_before=1).question_id, question_for(run_id="s").question_id,
           question_for(engine="bubblewrap").question_id}
    assert len(ids) == 6


@pytest.mark.parametrize(("part", "value"), [
    ("program_sha256", "other"), ("policy_sha256", "other"), ("inputs_sha256", "other"), ("engine", "bubblewrap"),
    ("limits", {"wall_s": 21.0, "memory_mb": 512.0})])
def test_an_approval_is_void_when_anything_that_was_shown_changed(part: str, value: object) -> None:
    question = question_for()
    yes = decision(question, "approve")
    assert settle(question, yes, question.binding) == Approve()
    now = question.binding.model_copy(update={part: value})
    assert settle(question, yes, now) == Stale((part.removesuffix("_sha256"),))
    assert now.digest != question.binding.digest


def test_a_decision_on_another_digest_decides_nothing() -> None:
    question = question_for()
    assert isinstance(settle(question, Decision(type="approve", binding="x"), question.binding), Stale)
    assert isinstance(settle(question, Decision(type="edit", binding="x", program="p"), question.binding), Stale)


def test_the_other_settlements() -> None:
    question = question_for()
    changed = question.binding.model_copy(update={"engine": "else"})
    assert settle(question, None, question.binding) == Expired()
    assert settle(question, decision(question, "edit", program="print(2)"), question.binding) == Edit("print(2)")
    assert settle(question, decision(question, "reject", message="no reports"), changed) == Reject("no reports")
    assert settle(question, decision(question, "respond", message="use sums"), changed) == Respond("use sums")
    unexplained = settle(question, decision(question, "reject"), question.binding)
    assert isinstance(unexplained, Reject)
    assert "a person refused it" in unexplained.message


def test_always_identical_holds_for_the_same_digest_only() -> None:
    question = question_for()
    once, always = decision(question, "approve"), decision(question, "approve", always_identical=True)
    assert settled_before([(question, once)], question.binding) is None
    assert settled_before([(question, always)], question.binding) == Approve()
    for part in ("program_sha256", "policy_sha256", "inputs_sha256", "engine"):
        other = question.binding.model_copy(update={part: "other"})
        assert settled_before([(question, always)], other) is None, part


@pytest.mark.parametrize("kind", ["reject", "respond"])
def test_a_declined_program_is_not_asked_again_even_with_other_limits(kind: str) -> None:
    question = question_for()
    declined = decision(question, kind, message="must not touch the reports folder")
    other_limits = question.binding.model_copy(update={"limits": {"wall_s": 1.0}})
    again = settled_before([(question, declined)], other_limits)
    assert again == Respond("already rejected: must not touch the reports folder")
    assert settled_before([(question, declined)], question_for("print(3)").binding) is None
    assert settled_before([(question, None)], question.binding) is None


def test_an_edit_approves_the_edited_program_unless_new_findings_appear() -> None:
    shown = Finding(rule="reads-files", severity="WARNING", line=2, message="m")
    question = question_for(PROGRAM, shown)
    edit = decision(question, "edit", program="print('edited')")
    edited = question.binding.model_copy(update={"program_sha256": sha256_text("print('edited')")})
    assert settled_before([(question, edit)], edited) == Approve()
    assert settled_before([(question, edit)], edited, [shown]) == Approve()
    unseen = Finding(rule="calls-tools", severity="WARNING", line=1, message="m")
    assert settled_before([(question, edit)], edited, [unseen]) is None
    other = edited.model_copy(update={"inputs_sha256": "changed"})
    assert settled_before([(question, edit)], other) is None


def test_the_newest_decision_wins() -> None:
    question = question_for()
    first = (question, decision(question, "approve", always_identical=True))
    second = (question_for(asked_before=1), decision(question, "reject", message="no"))
    assert isinstance(settled_before([first, second], question.binding), Respond)


def test_the_payload_is_the_one_of_the_human_in_the_loop_middleware() -> None:
    question = question_for()
    payload = question.payload()
    assert payload["action_requests"] == [
        {"name": "run_program", "args": {"program": PROGRAM}, "description": describe_text(question)}]
    assert payload["review_configs"] == [
        {"action_name": "run_program", "allowed_decisions": ["approve", "edit", "reject", "respond"]}]
    assert payload["binding"] == question.binding.digest


@pytest.mark.parametrize(("given", "expected"), [
    ({"type": "approve"}, {"type": "approve"}),
    ({"type": "approve", "always_identical": True}, {"type": "approve", "always_identical": True}),
    ({"type": "edit", "edited_action": {"name": "run_program", "args": {"program": "print(2)"}}},
     {"type": "edit", "program": "print(2)"}),
    ({"type": "reject", "message": "no"}, {"type": "reject", "message": "no"}),
    ({"type": "reject", "always_identical": True}, {"type": "reject"}),
    ({"type": "respond", "message": "try \ud800"}, {"type": "respond", "message": "try \ufffd"}),
])
def test_answers_are_read_as_chat_pages_give_them(given: dict[str, Any], expected: dict[str, Any]) -> None:
    question = question_for()
    read = decision_from(question, {"decisions": [given]})
    assert read == Decision(binding=question.binding.digest, **expected)


@pytest.mark.parametrize("answer", [
    None, "approve", [], {}, {"decisions": []}, {"decisions": "approve"}, {"decisions": [{"type": "approve"}] * 2},
    {"decisions": ["approve"]}, {"decisions": [{"type": "ignore"}]}, {"decisions": [{}]},
    {"decisions": [{"type": "edit"}]}, {"decisions": [{"type": "edit", "edited_action": {"args": {"program": "  "}}}]},
    {"decisions": [{"type": "reject", "message": ["x"]}]}, {"decisions": [{"type": "approve", "binding": 5}]},
])
def test_an_answer_of_another_shape_is_refused_with_the_shape(answer: object) -> None:
    with pytest.raises(AnswerInvalid, match=r"decision|answer|edit"):
        decision_from(question_for(), answer)


def test_an_answer_that_is_not_allowed_here_is_refused() -> None:
    with pytest.raises(AnswerInvalid, match="answered by edit, respond, not by 'approve'"):
        decision_from(question_for(allowed=("edit", "respond")), {"decisions": [{"type": "approve"}]})


def test_an_answer_to_an_older_question_is_stale() -> None:
    old, new = question_for(), question_for("print('changed')")
    answer = decision_from(new, {"decisions": [{"type": "approve", "binding": old.binding.digest}]})
    assert isinstance(settle(new, answer, new.binding), Stale)


def test_a_person_sees_everything_the_decision_is_bound_to() -> None:
    finding = Finding(rule="reads-files", severity="WARNING", line=2, message="reads a file", fix="take an input")
    question = question_for(
        PROGRAM, finding, reasons=["sensitive inputs: data.csv"], policy="data-analysis", previous="import pandas as pd\n",
        plan_needs=Needs(imports=["pandas"]), ceiling={"imports": ["pandas", "numpy"]}, limits_usual={"memory_mb": 256},
        verdict=verdict_for(PROGRAM, finding, facts=Facts(imports=["pandas"], reads=["data.csv"], lines=2)))
    shown = {section.title: section.lines for section in describe(question)}
    assert shown["Why you are asked"] == ("sensitive inputs: data.csv",)
    assert shown["Program"][1:] == ("2 | print(pd.read_csv('data.csv').sum())",
                                    "  ^ WARNING reads-files: reads a file Instead: take an input")
    assert "+print(pd.read_csv('data.csv').sum())" in shown["Changes since the last approved program"]
    assert "reads: data.csv" in shown["What it does, by its syntax tree"]
    assert shown["What its plan named, and what the policy allows"][0] == (
        "imports: pandas (policy allows pandas, numpy)")
    assert "memory_mb: 512, above the 256 that needs no approval" in shown["Limits"]
    text = describe_text(question)
    for digest in (sha256_text(PROGRAM), question.binding.digest, "policy"):
        assert digest in text


def test_a_program_cannot_draw_on_the_terminal_of_who_approves_it() -> None:
    hostile = "print('\x1b[2J\x1b[1;1Hharmless')  # \u202eevil\u200b \x07\r"
    question = question_for(hostile, goal="\x1b]0;title\x07", reasons=["\x1b[31mred"])
    text = describe_text(question)
    assert not any(sign in text for sign in "\x1b\x07\r\u202e\u200b")
    assert "\\x1b[2J" in text
    assert "\\u202e" in text


def test_findings_without_a_line_and_odd_programs_are_shown() -> None:
    nowhere = Finding(rule="r", severity="ERROR", line=0, message="m")
    beyond = Finding(rule="s", severity="INFO", line=99, message="m")
    assert annotated("", [nowhere, beyond]) == ("  ^ ERROR r: m", "  ^ INFO s: m", "1 | ")
    assert difference("a\n", "a\n") == ()


def test_the_digest_of_inputs_follows_the_bytes_on_the_disk(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("1")
    inputs = inputs_from({"a.csv": tmp_path / "a.csv"}, spool=tmp_path / "spool")
    shown = inputs_sha256(inputs)
    assert inputs_sha256(inputs, reread=True) == shown
    (tmp_path / "a.csv").write_text("2")
    assert inputs_sha256(inputs) == shown
    changed = inputs_sha256(inputs, reread=True)
    (tmp_path / "a.csv").unlink()
    assert len({shown, changed, inputs_sha256(inputs, reread=True)}) == 3


def test_a_binding_has_one_digest_whatever_the_kind_of_number() -> None:
    one = Binding(program_sha256="a", policy_sha256="b", inputs_sha256="c", limits={"wall_s": 5}, engine="docker")
    assert Binding.model_validate_json(one.model_dump_json()).digest == one.digest
    assert one.digest == one.model_copy(update={"limits": {"wall_s": 5.0}}).digest
