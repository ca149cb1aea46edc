"""Plans: read from whatever a planner replies, and never wider than the task."""

import json
from pathlib import Path
from typing import Any

import pytest
from fumehood.graph.plan_schema import PLAN_SCHEMA, plan_schema
from fumehood.graph.planning import default_plan, fitted, read_plan, repair_message
from fumehood.graph.state import Plan
from fumehood.graph.task import InputFile, Limits, OutputSpec, Task
from fumehood.policies.profile import load_policy
from fumehood.policies.verdict import Needs
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

POLICY = load_policy("data-analysis")
GOOD = {"steps": ["load sales.csv", "sum the amount column"], "needs_code": True}


def plan_of(text: str) -> Plan:
    found = read_plan(text)
    assert isinstance(found, Plan), found
    return found


def held_to(plan: Plan, given: Task) -> Plan:
    return fitted(plan, given, POLICY)


def task(**more: Any) -> Task:
    inputs = [InputFile(name=name, source=f"/x/{name}", bytes=1, sha256="0") for name in ("a.csv", "data/b.csv")]
    return Task(goal="g", inputs=inputs, **more)


@pytest.mark.parametrize("text", [
    json.dumps(GOOD),
    f"```json\n{json.dumps(GOOD)}\n```",
    f"<think>\nThe user has {{one file}}.\n</think>\nSure! Here is the plan:\n{json.dumps(GOOD)}\nShall I start?",
    f"The user has {{one file}}, so {json.dumps(GOOD)} it is.",
    f"thinking without a beginning {{\"steps\": [\"no\"]}} </think> {json.dumps(GOOD)}",
    json.dumps({**GOOD, "mood": "fine", "network": True}),
    json.dumps({"plan": GOOD}),
    "{'steps': ['load sales.csv', 'sum the amount column'], 'needs_code': True,}",
    '{"steps": ["load sales.csv", // first\n "sum the amount column",], # then\n "needs_code": true}',
    '{"steps": [{"step": "load sales.csv"}, {"step": "sum the amount column"}], "needs_code": "true"}',
    f'An example is {{"steps": []}}. Mine:\n{json.dumps(GOOD)}',
    "\ufeff\r\n" + json.dumps(GOOD, indent=2).replace("\n", "\r\n"),
])
def test_the_same_plan_comes_out_of_every_wrapping(text: str) -> None:
    plan = plan_of(text)
    assert plan.steps == GOOD["steps"]
    assert plan.needs_code
    assert plan.source == "model"


def test_backticks_in_a_value() -> None:
    text = '{"steps": ["load sales.csv", "print it as ```text``` block"], "needs_code": true}'
    assert plan_of(text).steps[1] == "print it as ```text``` block"
    assert plan_of(f"```json\n{text}\n```").steps[1] == "print it as ```text``` block"


@pytest.mark.parametrize(("text", "words"), [
    ("", "empty"), ("  \n", "empty"), ("<think>hm {\"steps\": [\"a\"]}", "only thinking"),
    ("I would first load the file.", "no JSON object"), ("{one file}", "no JSON object"), ("[1, 2]", "no JSON object"),
    ('{"steps": ["load", "su', "no JSON object"), ('{"steps": ["load"], "imports": ["pandas"', "no JSON object"),
    ('{"needs_code": false}', "answer"), ('{"steps": []}', "no steps"), ("{" * 5000, "no JSON object"),
    ('{"a":' * 5000, "no JSON object"), ("x" * 300_000, "300000 characters"),
])
def test_what_is_no_plan_says_why(text: str, words: str) -> None:
    found = read_plan(text)
    assert isinstance(found, str)
    assert words in found


def test_every_field() -> None:
    plan = plan_of(json.dumps({
        "steps": ["a"], "needs_code": True, "kind": "chart", "imports": ["pandas", "matplotlib.pyplot"],
        "inputs": ["a.csv"], "outputs": ["output/c.png"], "tools": [], "result_schema": '{"type": "number"}',
        "memory_mb": 300, "wall_s": 4.5, "constants": [7, 2.5], "answer": "", "refusal": ""}))
    assert plan.kind == "chart"
    assert plan.needs == Needs(imports=["pandas", "matplotlib.pyplot"], inputs=["a.csv"], outputs=["output/c.png"], tools=[])
    assert plan.result == {"type": "number"}
    assert (plan.memory_mb, plan.wall_s, plan.constants) == (300, 4.5, [7.0, 2.5])


@pytest.mark.parametrize(("field", "value", "attribute", "got"), [
    ("result_schema", {"type": "array"}, "result", {"type": "array"}), ("result_schema", "not json", "result", None),
    ("result_schema", '{"type": "nonsense"}', "result", None), ("result_schema", '{"$ref": "http://x"}', "result", None),
    ("result_schema", "{" * 9999, "result", None), ("memory_mb", "lots", "memory_mb", None),
    ("memory_mb", True, "memory_mb", None), ("memory_mb", -5, "memory_mb", None), ("memory_mb", 10**30, "memory_mb", None),
    ("wall_s", 1e400, "wall_s", None), ("kind", "hacking", "kind", "table"), ("kind", ["x"], "kind", "table"),
    ("constants", [1, "2", None, True, 1e999], "constants", [1.0]), ("refusal", None, "refusal", ""),
    ("refusal", "null", "refusal", ""), ("refusal", "false", "refusal", ""), ("refusal", "no refusal", "refusal", ""),
    ("refusal", "17 * 23", "refusal", ""),
    ("refusal", "column y is missing", "refusal", "column y is missing"), ("answer", 3, "answer", ""),
    ("steps", ["a", "a", "b"], "steps", ["a", "b"]),
])
def test_a_field_of_a_wrong_kind_is_left_out(field: str, value: Any, attribute: str, got: Any) -> None:
    assert getattr(plan_of(json.dumps({**GOOD, field: value})), attribute) == got


@pytest.mark.parametrize("name", ["/etc/passwd", "~/x", "../x", "output/../../x", "a\x00b"])
def test_outputs_outside_the_workspace_are_not_declared(name: str) -> None:
    assert plan_of(json.dumps({**GOOD, "outputs": [name, "./output/ok.csv"]})).needs.outputs == ["output/ok.csv"]


def test_no_code_and_refusal() -> None:
    assert plan_of('{"needs_code": false, "answer": "It is Tuesday."}').answer == "It is Tuesday."
    assert plan_of('{"steps": [], "refusal": "there is no column price"}').refusal == "there is no column price"


def test_the_plan_cannot_widen_the_task() -> None:
    wide = plan_of(json.dumps({**GOOD, "memory_mb": 100_000, "wall_s": 5000, "tools": ["shell", "rate"],
                               "inputs": ["a.csv", "/etc/passwd"], "result_schema": '{"type": "string"}',
                               "limits": {"memory_mb": 9999}, "network": "on", "policy": "none"}))
    given = task(limits=Limits(memory_mb=256, wall_s=5), tools=["rate"], result={"type": "number"},
                 outputs=[OutputSpec(pattern="r.csv")])
    plan = held_to(wide, given)
    assert (plan.memory_mb, plan.wall_s) == (256, 5.0)
    assert plan.needs.tools == ["rate"]
    assert plan.result is None, "the caller's shape stands"
    assert plan.needs.inputs == ["a.csv", "data/b.csv"], "a name that does not exist: all that were given, no more"
    assert "/etc/passwd" in plan.warning
    assert not {"limits", "network", "policy"} & plan.model_dump().keys()


@pytest.mark.parametrize(("named", "held"), [
    (["a.csv"], ["a.csv"]), (["./a.csv", "a.csv"], ["a.csv"]), (["data"], ["data/b.csv"]), (["data/"], ["data/b.csv"]),
    ([], ["a.csv", "data/b.csv"]), (None, None),
])
def test_inputs_are_held_to_the_manifest(named: list[str] | None, held: list[str] | None) -> None:
    plan = held_to(Plan(steps=["x"], needs=Needs(inputs=named)), task())
    assert plan.needs.inputs == held


def test_declared_outputs_stand_whatever_the_plan_says() -> None:
    plan = held_to(Plan(steps=["x"], needs=Needs(outputs=["output/b.csv"])), task(outputs=[OutputSpec(pattern="a.png")]))
    assert plan.needs.outputs == ["a.png", "output/b.csv"]


@pytest.mark.parametrize(("named", "held"), [
    (["pandas", "csv"], ["pandas", "csv"]), ([], []), (None, None), (["pandas", "1.1.1", "requests"], ["pandas"]),
    (["matplotlib.pyplot"], ["matplotlib.pyplot"]), (["1.1.1.1", "the csv module"], None)])
def test_what_is_no_module_is_not_held_against_the_program(named: list[str] | None, held: list[str] | None) -> None:
    plan = held_to(Plan(steps=["x"], needs=Needs(imports=named)), task())
    assert plan.needs.imports == held
    assert ("not held to its list" in plan.warning) is (bool(named) and held is None)


def test_a_reply_of_countless_blocks_is_no_plan_and_no_crash() -> None:
    assert "code blocks" in str(read_plan("```python\n</think>\n```\n" * 100))


def test_a_plan_that_is_held_to_its_schema_names_only_what_there_is() -> None:
    schema = plan_schema(task(tools=["rate"]), POLICY)
    Draft202012Validator.check_schema(schema)
    holds = Draft202012Validator(schema)
    whole: dict[str, Any] = {"steps": ["sum"], "needs_code": True, "kind": "scalar", "imports": ["pandas"],
                             "inputs": ["a.csv"], "outputs": [], "tools": ["rate"], "result_schema": None,
                             "memory_mb": None, "wall_s": None, "constants": [], "answer": "", "refusal": ""}
    assert holds.is_valid(whole)
    assert not any(holds.is_valid({**whole, **wrong}) for wrong in (
        {"imports": ["requests"]}, {"inputs": ["/etc/passwd"]}, {"tools": ["shell"]}))
    none = Draft202012Validator(plan_schema(Task(goal="g"), POLICY))
    assert not none.is_valid({**whole, "tools": []})
    assert none.is_valid({**whole, "tools": [], "inputs": []})


def test_words_are_no_file_names() -> None:
    found = plan_of(json.dumps({**GOOD, "outputs": ["a table of sums", "my chart.png", "output/sums.csv", "1. 1. 1. 1."]}))
    assert found.needs.outputs == ["my chart.png", "output/sums.csv"]


def test_steps_without_an_answer_are_to_be_done() -> None:
    assert plan_of(json.dumps({"steps": ["sum"], "needs_code": False, "answer": "", "refusal": "none"})).needs_code


@pytest.mark.parametrize(("said", "kept"), [
    (["1. Sum it.", "2. Sum it.", "Check."], ["1. Sum it.", "Check."]), (["17 * 23", "17 * 23"], ["17 * 23"]),
    (["add_" * 30, "Sum."], ["Sum."]), (["1.1.1", "2.1.1"], ["1.1.1", "2.1.1"])])
def test_a_step_is_said_once_and_in_words(said: list[str], kept: list[str]) -> None:
    assert plan_of(json.dumps({"steps": said, "needs_code": True, "imports": []})).steps == kept


def test_an_input_is_no_output() -> None:
    assert held_to(Plan(steps=["x"], needs=Needs(outputs=["a.csv", "output/b"])), task()).needs.outputs == ["output/b"]


@pytest.mark.parametrize(("given", "code"), [
    ({"inputs": []}, False), ({}, True), ({"inputs": [], "result": {"type": "number"}}, True),
    ({"inputs": [], "outputs": [OutputSpec(pattern="x")]}, True),
])
def test_what_is_asked_of_files_or_in_a_shape_is_computed(given: dict[str, Any], code: bool) -> None:
    plan = held_to(Plan(needs_code=False, answer="Paris, surely"), Task(**{"goal": "g", "inputs": task().inputs, **given}))
    assert plan.needs_code is code
    assert ("without a program" in plan.warning) is code


def test_a_number_is_computed_and_not_guessed() -> None:
    plan = held_to(Plan(needs_code=False, answer="It is 100."), Task(goal="Add the numbers from 1 to 100."))
    assert plan.needs_code
    assert "not guessed" in plan.warning


def test_a_plan_that_contradicts_itself_is_carried_out() -> None:
    plan = Plan(needs_code=False, answer="json", needs=Needs(imports=["json"]))
    assert held_to(plan, Task(goal="Which format is that?")).needs_code


def test_a_refusal_that_repeats_the_goal_is_none() -> None:
    goal = "Count the words in that text here."
    assert held_to(Plan(steps=["x"], refusal="the words in that text"), Task(goal=goal)).refusal == ""
    step = Plan(steps=["1. Count the words."], refusal="2. Count the words!")
    assert held_to(step, Task(goal="How many?")).refusal == ""
    kept = held_to(Plan(needs_code=False, refusal="no text was given"), Task(goal=goal))
    assert kept.refusal == "no text was given"
    assert not kept.needs_code


def test_the_default_plan_asks_for_no_more_than_the_manifest() -> None:
    plan = default_plan(task(tools=["rate"], outputs=[OutputSpec(pattern="a.png", media_type="image/png")]), "no JSON")
    assert plan.source == "default"
    assert plan.needs == Needs(imports=None, inputs=["a.csv", "data/b.csv"], outputs=["a.png"], tools=["rate"])
    assert plan.kind == "chart"
    assert "no JSON" in plan.warning
    assert (plan.memory_mb, plan.wall_s, plan.result) == (None, None, None)
    assert default_plan(task()).warning == ""


def test_the_repair_shows_the_reply_cut_and_the_problem() -> None:
    said, asked = repair_message("x" * 50_000, "the reply holds no JSON object")
    assert said.role == "assistant"
    assert len(said.content) < 2500
    assert "the reply holds no JSON object" in asked.content
    assert "JSON object alone" in asked.content
    assert repair_message("", "empty")[0].content


def test_the_schema_is_one_that_strict_servers_take() -> None:
    Draft202012Validator.check_schema(PLAN_SCHEMA)
    assert sorted(PLAN_SCHEMA["required"]) == sorted(PLAN_SCHEMA["properties"])
    assert PLAN_SCHEMA["additionalProperties"] is False
    prompt = (Path(__file__).resolve().parents[2] / "nodes" / "prompts" / "plan.md").read_text()
    missing = [name for name in PLAN_SCHEMA["properties"] if f"`{name}`" not in prompt]
    assert missing == [], "the prompt explains every field"


@given(st.text(alphabet="{}[]\"',:`\\ \n\tsteps_needs_code01truefalsnl/<think>", max_size=300))
def test_any_text_is_a_plan_or_a_reason(text: str) -> None:
    found = read_plan(text)
    assert isinstance(found, Plan) or found
    if isinstance(found, Plan):
        assert held_to(found, task()).model_dump_json()


JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
                    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
                    max_leaves=8)


@given(st.fixed_dictionaries({}, optional=dict.fromkeys([*PLAN_SCHEMA["properties"], "result", "needs"], JSON)))
def test_any_object_is_a_plan_or_a_reason(document: dict[str, Any]) -> None:
    found = read_plan(json.dumps(document))
    if isinstance(found, Plan):
        held = held_to(found, task())
        assert set(held.needs.inputs or []) <= {"a.csv", "data/b.csv"}
        assert held.needs.tools in (None, [])
        assert (held.memory_mb or 0) <= task().limits.memory_mb
