"""Explanations: no number that was not computed or given, in the goal's language."""

import json

import pytest
from fumehood.graph.explain import explanation, language_of
from fumehood.graph.numbers import Known, Source, in_json, in_text, numbers_in
from fumehood.graph.state import Plan
from hypothesis import given
from hypothesis import strategies as st

RESULT = json.dumps({"mean_conversion_percent": 3.84, "ratio_of_sums": 0.0371234, "days": [
    {"day": "2026-03-02", "rate": 0.0470588}, {"day": "2026-03-03", "rate": 0.021917}], "revenue": 1234567.891,
    "change": -12})
GOAL = "What is the mean conversion per day over the first 7 days?"
PLAN = Plan(steps=["Read sales.csv", "Divide paid by leads for each day", "Average the 7 rates"], constants=[7, 365])


def says(sentence: str, result: str | None = RESULT, *, output: str = "", goal: str = "what is it",
         plan: Plan | None = None) -> bool:
    """Whether the sentence survives."""
    text, dropped = explanation(plan, result, sentence, goal, output)
    assert bool(dropped) != (sentence in text)
    return sentence in text


@pytest.mark.parametrize("sentence", [
    "The mean is 3.84%.", "The mean is 3,84 %.", "The mean is 3.84\u00a0%.", "Le taux est de 3,84\u202f%.",
    "It is 3.84 percent.", "Es sind 3,84 Prozent.", "Це 3,84 відсотка.", "As a ratio it is 0.0384.",
    "About 3.8 % convert.", "It is 3.8 %.",
    "The ratio of the sums is 0.0371.", "The ratio of the sums is 3.71 %.", "The ratio of the sums is 3.7 %.",
    "Revenue was 1,234,568.", "Revenue was 1.234.567,89.", "Revenue was 1 234 567,9.",
    "Revenue was 1\u202f234\u202f568.", "Revenue was 1'234'567.89.", "Revenue was about 1.23 million.",
    "Revenue was about 1,230,000.", "Der Umsatz war 1,23 Mio.", "On 2026-03-02 the rate was 4.71 %.",
    "On 02.03.2026 the rate was 4,7 %.", "On March 3, 2026 it was 2.19 %.", "There are 2 days.", "It fell by 12.",
    "It changed by -12.", "It changed by \u221212.", "No numbers here.",
    "Read from sales_2024.csv, column Q1 in UTF-8.", "The revenue is 1234567.891."])
def test_a_supported_number_may_stand(sentence: str) -> None:
    assert says(sentence)


@pytest.mark.parametrize("sentence", [
    "The mean is 3.85 %.", "The mean is 0.0384 %.", "The mean is 384 %.", "The mean is 4.84.",
    "The ratio of the sums is 0.0371 %.", "There are 42 days.", "Revenue was 1,234,569.",
    "Revenue was 1.24 million.", "Revenue was 1,230,000.", "On 2026-03-17 it was so.", "On 17.03.2026 it was so.",
    "It rose by 1e6.", "The mean is 4 %.", "The p-value is 0.05.", "It is 12.5.", "That is 3.84 % of 99.",
    "The mean is \u0663\u0669.", "Revenue was 1 234 999."])
def test_an_unsupported_number_drops_its_sentence_with_a_note(sentence: str) -> None:
    assert not says(sentence)


def test_only_the_sentence_with_the_number_is_dropped() -> None:
    text, dropped = explanation(PLAN, RESULT,
                                "The mean is 3.84 %. A typical value is 5.2 %. Days without leads: none.", GOAL, "")
    assert text == "The mean is 3.84 %. Days without leads: none."
    assert len(dropped) == 1
    assert "5.2 %" in dropped[0]


def test_numbers_of_output_plan_and_goal_may_stand() -> None:
    assert says("It used 1,234 rows.", None, output="rows 1234\n")
    assert says("A year has 365 days.", plan=PLAN)
    assert says("Over 12 months.", goal="retention over 12 months")
    assert not says("Over 12 months.", "{}")
    assert says("It was 0.5 %.", None, output="rate: 0.5 %\n")
    assert not says("It was 0.5 %.", None, output="rate: 0.5\n")
    assert says("It was 50 %.", None, output="rate: 0.5\n")


def test_a_growth_factor_may_be_told_in_per_cent() -> None:
    assert says("It grew to 150 %.", '{"growth_factor": 1.5}')
    assert not says("It grew to 150 %.", '{"rate": 1.5}')


def test_announcements_and_code_words_are_no_explanation() -> None:
    text, dropped = explanation(PLAN, RESULT,
                                "Let me compute it. Here is the program:\n\nThe mean is 3.84 %.\n# TASK_COMPLETE", GOAL)
    assert text == "The mean is 3.84 %."
    assert dropped == []


@pytest.mark.parametrize(("goal", "language"), [
    (GOAL, "en"), ("Compute the total", "en"), ("Quel est le taux de conversion moyen par jour ?", "fr"),
    ("Calcule la moyenne des ventes", "fr"), ("Berechne die mittlere Konversionsrate je Tag", "de"),
    ("Wie hoch ist der Umsatz?", "de"), ("Яка середня конверсія за день?", "uk"), ("Порахуй суму", "uk"), ("", "en"),
    ("合計を計算", "en")])
def test_the_language_of_the_goal(goal: str, language: str) -> None:
    assert language_of(goal) == language


@pytest.mark.parametrize(("goal", "said"), [
    (GOAL, ["Computed by a program", "Result: mean_conversion_percent = 3.84%"]),
    ("Quel est le taux moyen des ventes ?", ["Calculé", "3,84\u202f%", "2 lignes avec day, rate"]),
    ("Berechne die mittlere Rate je Tag", ["Ergebnis", "3,84\u00a0%"]),
    ("Яка середня конверсія?", ["Результат", "3,84\u00a0%"])])
def test_the_template_speaks_the_goals_language(goal: str, said: list[str]) -> None:
    text, dropped = explanation(PLAN, RESULT, "", goal, inputs=["sales.csv"])
    assert dropped == []
    assert "sales.csv" in text
    assert all(part in text for part in said)


def test_prose_without_the_numbers_gets_the_result_beside_it() -> None:
    text, _ = explanation(PLAN, "7.25", "The daily rates were averaged.", GOAL)
    assert text == "The daily rates were averaged.\nResult: 7.25."


@pytest.mark.parametrize(("result", "shown"), [
    ("391", "Result: 391."), ("true", "Result: true."), ("null", "Result: null."), ('"north"', "Result: north."),
    ("[1, 2.5]", "Result: [1; 2.5]."), ("[]", "Result: []."), (json.dumps(list(range(50))), "Result: [50]."),
    ("{}", ""), (json.dumps({"a": {"b": 1, "c": 2}}), "Result: a = {b, c}."), (str(10 ** 200), "…"),
    (json.dumps("x" * 9000), "left out")])
def test_results_of_every_kind_have_a_template(result: str, shown: str) -> None:
    text, dropped = explanation(None, result, "", "compute it")
    assert shown in text
    assert len(text) < 1600
    assert dropped == []


def test_steps_of_the_plan_with_unknown_numbers_are_left_out() -> None:
    plan = Plan(steps=["Take the best 17 rows", "Average them"])
    text, _ = explanation(plan, "3", "", "compute it")
    assert "17" not in text
    assert "Average them" in text


def test_an_output_without_a_result_is_named() -> None:
    assert explanation(None, None, "", "compute it", "hello").text == "The program's output is the answer."
    assert explanation(None, None, "", "compute it", "").text == ""


def test_control_codes_and_length_are_bounded() -> None:
    text, _ = explanation(None, "1", "\x1b[31mred\x1b[0m text. " + "Word after word. " * 900, "compute it")
    assert "\x1b" not in text
    assert len(text) <= 1500


@pytest.mark.parametrize(("text", "values"), [
    ("1,234", [1.234, 1234]), ("1.234,5", [1234.5]), ("1 234 and 5", [1234, 5]), ("12e-3", [0.012]),
    ("Q4 v2.1 UTF-16 x_3 a1b", []), ("$5 (6) 7kg", [5, 6, 7]), ("1. first\n2. second", []), ("3.", [3]),
    ("-4 to 5", [-4, 5]), ("2-3", [2, 3]), ("10\u00a0000", [10000])])
def test_numbers_are_read_in_every_notation(text: str, values: list[float]) -> None:
    assert [value for written in numbers_in(text) for value, _ in written.readings] == pytest.approx(values)


@given(st.floats(-1e12, 1e12, allow_nan=False), st.integers(0, 6), st.sampled_from([".", ","]))
def test_a_rounded_number_is_supported_by_its_source(value: float, decimals: int, mark: str) -> None:
    written = f"{value:.{decimals}f}"
    digits = written.strip("-").replace(".", "").lstrip("0")
    known = Known([Source(value)])
    found = numbers_in(f"It is {written.replace('.', mark)} now")
    assert len(found) == 1
    if len(digits) >= 2 or float(written) == value:
        assert known.supports(found[0])


@given(st.text(max_size=200), st.text(max_size=200), st.text(max_size=60))
def test_whatever_the_prose_every_number_left_is_supported(prose: str, output: str, goal: str) -> None:
    text, _ = explanation(None, None, prose, goal, output)
    known = Known([*in_text(output), *in_text(goal)])
    if "output" not in text and "left out here" not in text:
        assert all(known.supports(written) for line in text.split("\n") for written in numbers_in(line))


def test_a_large_result_is_checked_in_reasonable_work() -> None:
    result = json.dumps([{"i": i, "x": i / 7} for i in range(20_000)])
    known = Known(in_json(result))
    assert known.supports(numbers_in("it is 2856.86")[0])
    assert not known.supports(numbers_in("it is 2857.0001")[0])
