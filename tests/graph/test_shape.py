"""What counts as a delivered value, what is refused, and how a value falls short of its schema."""

import json
import urllib.request
from pathlib import Path
from typing import Any

import pytest
import yaml
from fumehood.graph import shape
from fumehood.graph.shape import (
    MAX_DEPTH,
    MAX_DIGITS,
    MAX_RESULT_CHARS,
    Found,
    SchemaInvalid,
    check_schema,
    find_delivery,
    validate_value,
)
from hypothesis import assume, given, settings
from hypothesis import strategies as st

CASES = Path(__file__).resolve().parents[1] / "cases"


def case(number: str) -> dict[str, Any]:
    path, = CASES.glob(f"{number}_*.yml")
    loaded: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    return loaded


def value(stdout: str, delivered: str | None = None, **given: Any) -> Any:
    found = find_delivery(stdout, delivered, **given)
    assert found.value_json is not None, found
    return json.loads(found.value_json)


def refused(stdout: str, delivered: str | None = None, **given: Any) -> Found:
    found = find_delivery(stdout, delivered, **given)
    assert found.value_json is None
    assert found.reason is not None
    assert found.problems
    return found


# The cases: what their programs print, taken from them as it is stated there


def test_the_last_value_on_lines_of_its_own_is_the_result() -> None:
    expected = case("049")["expect"]
    schema = case("049")["input"]["config"]["result_shape"]
    printed = ('Loading {2 files}\n{"progress": 0.5}\n{\'total\': 1}\n'
               '{"total": 7.5, "note": "see RESULT: {\\"total\\": 1}"}\n')
    found = find_delivery(printed, None)
    assert found.stray
    assert value(printed) == expected["A"]["result"]
    assert found.value_json is not None
    assert validate_value(found.value_json, schema) == []
    printed = "start\n" + json.dumps(expected["B"]["result"], indent=2) + "\ndone in 0.1 s\n"
    assert value(printed) == expected["B"]["result"]
    found = find_delivery("[1, 2, 3]\n3 numbers\n", None)
    assert found.value_json == "[1, 2, 3]"
    assert "expected object" in validate_value(found.value_json, schema)[0]


@pytest.mark.parametrize("printed", [
    '{"mean": NaN, "max": Infinity}\n', '{"mean": 1e400, "max": 3}\n', "-Infinity", "NaN", '[{"mean": [0, NaN]}]',
    '{"mean": ' + "9" * 400 + '.0}'])
def test_what_is_not_finite_is_refused_by_its_path(printed: str) -> None:
    found = refused(printed)
    assert found.reason == "schema_mismatch"
    assert all(said in found.problems[0] for said in case("050")["expect"]["feedback_contains"] if "mean" in printed)


def test_the_path_of_what_is_not_finite() -> None:
    assert "rows[1].x.y, rows[2]" in refused('{"rows": [1, {"x": {"y": NaN}}, Infinity]}').problems[0]


def test_a_python_value_is_no_json_and_gets_a_hint() -> None:
    found = refused("{'mean': np.float64(3.5), 'n': np.int64(4)}\n")
    assert found.reason == "schema_mismatch"
    assert "json.dumps" in found.hint
    assert "final_answer" in found.hint


@pytest.mark.parametrize(("stdout", "result"), [
    ("0\n", 0), ("false", False), ('""\n', ""), ("[]", []), ("null\n", None), ("{}", {})])
def test_a_falsy_value_is_a_value(stdout: str, result: Any) -> None:
    assert value(stdout) == result


@pytest.mark.parametrize("stdout", ["", "\n", "  \n\t\n", "\ufeff  \n", "\0"])
def test_nothing_printed_is_no_result(stdout: str) -> None:
    assert refused(stdout).reason == "no_result"
    assert "no result" in refused(stdout).problems[0]


def test_text_alone_is_no_result_of_a_shape() -> None:
    found = refused("1.234,50987,65\n")
    assert found.reason == "schema_mismatch"
    assert found.source == "none"


# The rule


@pytest.mark.parametrize(("stdout", "result"), [
    ("5\n{\"a\": 1}\n", {"a": 1}), ("{\"a\": 1}\n5\n", 5), ("x\n7", 7), ("1\n2\n3 numbers\n", 2),
    ("1\n\"a\" b\n", 1), ("{\"a\": 1}\n4 x\n5 y", {"a": 1}), ("[INFO] start\n5\n", 5), ("1\n2\n3\n", 3),
    ("\"a\"\n\"b\"\n", "b"), ("{\"a\": 1}  \t\r\n", {"a": 1}), ("[\n1,\n2\n]\n", [1, 2]),
    ("[\n{\n\"a\": [\n1\n]\n}\n]\nend", [{"a": [1]}]), ("-0.5e-3\n", -0.0005), ("[1, 2] [3]\n4\nx", 4),
    ("true\n", True), ("é\n\"é\"\n", "é"), ("{bad}\n{\"a\": 1}\n{bad\n", {"a": 1})])
def test_the_last_value_that_begins_and_ends_a_line(stdout: str, result: Any) -> None:
    assert value(stdout) == result
    assert value(stdout.replace("\r\n", "\n").replace("\n", "\r\n")) == result
    assert json.loads(find_delivery(stdout.encode(), None).value_json or "") == result


@pytest.mark.parametrize("stdout", [
    "3 numbers", "0.1 s", "total: 5", " {\"a\": 1}", "[1] [2]", "{'a': 1}", "01", "1.", ".5", "+1", "0x1f", "nan",
    "True", "None", "1_000", "a 5", "\"half", "'text'", "undefined", "{a: 1}", "{\"a\": 1,}", "[1,]", "1,5"])
def test_what_is_no_value(stdout: str) -> None:
    assert refused(stdout + "\n").source == "none"


def test_an_incomplete_value_hides_earlier_ones() -> None:
    found = refused('{"progress": 1}\n{"total": 12, "rows": [1, 2')
    assert found.reason == "schema_mismatch"
    assert "not complete" in found.problems[0]
    assert refused('[\n1,\n2\n').problems


def test_a_value_inside_a_longer_one_is_not_the_result() -> None:
    rows = [{"day": 1}, {"day": 2}]
    for indent in (0, 1, 4, None):
        assert value("start\n" + json.dumps({"rows": rows}, indent=indent) + "\nend\n") == {"rows": rows}


def test_final_answer_wins_over_stdout() -> None:
    assert value("5\nsome text\n", '{"total": 2}') == {"total": 2}
    assert find_delivery("text", "1").source == "final_answer"
    assert value("1\n", "1.0") == 1
    assert value("", "null") is None
    assert value("[1, 2]\n", '{"a": 1}') == {"a": 1}


@pytest.mark.parametrize(("stdout", "delivered"), [
    ('{"total": 1}\n', '{"total": 2}'), ("5\n", "6"), ('{"a": [1]}', '{"a": [true]}'), ("[1]", "[1, 2]")])
def test_two_different_results_are_refused(stdout: str, delivered: str) -> None:
    found = refused(stdout, delivered)
    assert found.reason == "schema_mismatch"
    assert "two different" in found.problems[0]


def test_strict_refuses_text_beside_the_value() -> None:
    assert refused("x\n5\n", strict=True).reason == "schema_mismatch"
    assert refused("5\nx\n", strict=True).stray
    assert value("\n5\n\n", strict=True) == 5
    assert value("x\n", "5", strict=True) == 5
    assert not find_delivery("5\n", None).stray


# What is not handed on


@pytest.mark.parametrize("delivered", [None, "same"])
@pytest.mark.parametrize(("text", "reason", "said"), [
    ('{"a": 1, "a": 2}', "schema_mismatch", "'a' occurs twice"),
    ('[{"x": {"k": 1, "k": 1}}]', "schema_mismatch", "'k' occurs twice"),
    ('{"name": "\\ud800"}', "schema_mismatch", "surrogate"),
    ('{"b": ' + "9" * (MAX_DIGITS + 1) + "}", "output_unsafe", "digits"),
    ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "output_unsafe", "nested"),
    ("[" * 100_000 + "]" * 100_000, "output_unsafe", "nested"),
    ("[" + "0," * (MAX_RESULT_CHARS // 2) + "0]", "output_unsafe", "characters")], ids=lambda value: str(value)[:20])
def test_values_that_are_not_handed_on(text: str, reason: str, said: str, delivered: str | None) -> None:
    found = refused("", text) if delivered else refused(text)
    assert found.reason == reason
    assert said in found.problems[0]
    assert len(found.problems[0]) < 400


def test_numbers_stay_exact() -> None:
    text = '{"big": ' + "7" * 300 + ', "fine": 0.1000000000000000055511151231257827, "e": 1E2, "pair": "\\ud83d\\ude00"}'
    assert find_delivery(text, None).value_json == text
    assert find_delivery("", text).value_json == text
    assert value("[" * MAX_DEPTH + "]" * MAX_DEPTH)


@pytest.mark.parametrize("delivered", ["", "x", "{'a': 1}", "1 2", "[1"])
def test_what_final_answer_cannot_have_got(delivered: str) -> None:
    assert refused("5\n", delivered).reason == "schema_mismatch"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4), max_leaves=20)


@settings(deadline=None)
@given(json_values, st.text(max_size=40), st.text(max_size=40), st.sampled_from([None, 0, 2]), st.booleans())
def test_a_printed_value_comes_back_whatever_stands_around_it(item: Any, before: str, after: str, indent: int | None,
                                                              plain: bool) -> None:
    try:
        text = json.dumps(item, ensure_ascii=plain, indent=indent)
        text.encode()
    except UnicodeEncodeError:
        assume(False)
    assume("\\ud" not in text)
    prose = "".join(f"# {line}\n" for line in after.splitlines())
    lead = "".join(f"# {line}\n" for line in before.splitlines())
    assert value(f"{lead}{text}\n{prose}") == item


@settings(deadline=None)
@given(st.lists(st.sampled_from(['{"a": 1}', "[", "]", "{", "}", "\n", ",", '"', "1", "NaN", "text", " ", ":", "\\",
                                 "null", "{}", "[]"]), max_size=60)
       .map("".join), st.booleans())
def test_whatever_is_printed_the_result_is_a_value_or_a_reason(text: str, strict: bool) -> None:
    found = find_delivery(text, None, strict=strict)
    if found.value_json is None:
        assert found.reason in ("no_result", "schema_mismatch", "output_unsafe")
        assert found.problems
    else:
        json.loads(found.value_json)
        assert f"\n{found.value_json}" in f"\n{text}", "a value begins a line"


HARD = {"lines of numbers": "1\n", "lines of objects": '{"i": 1}\n', "open arrays": "[\n",
        "open arrays with text": "[1 x\n", "open strings": '["a\n',
        "quotes": '"a\n', "words": "hello\n", "nested openings": '{"a": [\n', "braces": "{\n",
        "valid beginnings": "[1,\n", "digits": "9"}


@pytest.mark.parametrize("piece", HARD.values(), ids=HARD)
def test_the_work_is_linear_in_the_output(piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[int] = []

    class Counting(json.JSONDecoder):
        def raw_decode(self, s: str, idx: int = 0) -> Any:
            given.append(len(s) - idx)
            return super().raw_decode(s, idx)

    monkeypatch.setattr(shape, "_DECODER", Counting())
    text = piece * (100_000 // len(piece)) + "x"
    find_delivery(text, None)
    assert sum(given) <= 8 * len(text) + 4096 * len(text.split("\n")) + 1_000_000


# Schemas


@pytest.mark.parametrize(("schema", "result", "said"), [
    ({"type": "integer"}, "2.5", ["the result", "expected integer", "2.5"]),
    ({"type": "object", "properties": {"rows": {"items": {"properties": {"paid": {"type": "integer"}}}}}},
     '{"rows": [{"paid": 1}, {"paid": "x"}]}', ["rows[1].paid", "expected integer", '"x"']),
    ({"type": "object"}, '"{\'a\': 1}"', ["json.dumps", "expected object"]),
    ({"type": "number"}, '"3,84 %"', ["deliver a number"]),
    ({"required": ["a", "b"]}, '{"a": 1, "c": 2}', ["missing 'b'", "there is a, c"]),
    ({"properties": {"a": {}}, "additionalProperties": False}, '{"z": 1}', ["'z' not expected", "allowed: a"]),
    ({"enum": ["x", "y"]}, '"z"', ["one of", '"x"']), ({"const": 3}, "4", ["expected 3"]),
    ({"minimum": 5}, "4", ["4 is less than the minimum"]),
    ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, '"a"', ["alternatives"]),
    ({"minItems": 3}, "[1]", ["too short"]), ({"type": "array"}, json.dumps("y" * 10_000), ["expected array"]),
    ({"maxItems": 2}, json.dumps(list(range(9999))), ["maxItems"])])
def test_a_problem_names_path_and_what_was_expected(schema: dict[str, Any], result: str, said: list[str]) -> None:
    problems = validate_value(result, schema)
    assert all(any(part in problem for problem in problems) for part in said)
    assert all(len(problem) <= 500 for problem in problems)


@pytest.mark.parametrize(("schema", "result"), [
    ({"type": "string", "format": "date-time"}, '"2024-01-31T00:00:00"'), ({"type": "integer"}, "3.0"),
    ({"type": ["number", "null"]}, "null"),
    ({"$ref": "#/$defs/n", "$defs": {"n": {"type": "integer"}}}, "3"), ({"type": "integer"}, "7" * 3000), ({}, "{}"),
    ({"prefixItems": [{"type": "integer"}]}, "[1, true]"),
    ({"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "integer"}]}, '[1, "x"]')])
def test_values_that_fit(schema: dict[str, Any], result: str) -> None:
    check_schema(schema)
    assert validate_value(result, schema) == []


def test_many_problems_are_counted() -> None:
    problems = validate_value(json.dumps(["x"] * 100), {"items": {"type": "integer"}})
    assert len(problems) == 7
    assert "94 more" in problems[-1]


def test_a_schema_without_end_is_a_problem_and_no_crash() -> None:
    assert "without end" in validate_value("1", {"$ref": "#"})[0]


@pytest.mark.parametrize(("schema", "said"), [
    ({"type": "foo"}, "type"), ({"properties": {"a": {"type": 3}}}, "properties/a/type"),
    ({"pattern": "("}, "pattern"), ({"patternProperties": {"(": {}}}, "("),
    ({"$ref": "https://example.org/s.json"}, "nothing is fetched"), ({"$ref": "#/$defs/none"}, "#/$defs/none"),
    ({"properties": {"a": {"$ref": "other.json#/b"}}}, "/properties/a"),
    ({"$schema": "https://example.org/mine"}, "dialect"), ({"minimum": float("nan")}, "no JSON"),
    ({"enum": [{1, 2}]}, "no JSON"), ({"description": "x" * 300_000}, "characters")])
def test_a_schema_that_cannot_be_used_is_refused_clearly(schema: dict[str, Any], said: str) -> None:
    with pytest.raises(SchemaInvalid) as fault:
        check_schema(schema)
    assert said in str(fault.value)


@pytest.mark.parametrize("schema", [
    {"properties": {"$ref": {"type": "string"}}}, {"const": {"$ref": "http://x"}},
    {"examples": [{"$ref": "http://x"}]}, {"properties": {"pattern": {"type": "string"}}},
    {"$id": "http://x/root", "$ref": "http://x/root#/$defs/a", "$defs": {"a": {"type": "integer"}}}])
def test_names_that_look_like_references_are_none(schema: dict[str, Any]) -> None:
    check_schema(schema, patterns=False)


def test_patterns_of_a_model_are_refused() -> None:
    check_schema({"pattern": "^(a+)+$"})
    for schema in ({"pattern": "^(a+)+$"}, {"properties": {"a": {"patternProperties": {"x": {}}}}}):
        with pytest.raises(SchemaInvalid, match="caller only"):
            check_schema(schema, patterns=False)


def test_no_reference_is_ever_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    def fetch(*_: object, **__: object) -> None:
        raise AssertionError("the schema was fetched")

    monkeypatch.setattr(urllib.request, "urlopen", fetch)
    with pytest.raises(SchemaInvalid, match=r"127\.0\.0\.1:9"):
        validate_value("1", {"$ref": "http://127.0.0.1:9/s.json"})


def test_a_pattern_that_takes_for_ever_ends() -> None:
    problems = validate_value(json.dumps("a" * 40 + "b"), {"type": "string", "pattern": "^(a+)+$"})
    assert "takes too long" in problems[0]


def test_patterns_are_still_checked() -> None:
    assert validate_value('"ab"', {"type": "string", "pattern": "^a"}) == []
    assert validate_value('"b"', {"type": "string", "pattern": "^a"}) != []
