"""Every way a run can end, and what of it reaches the caller while it still goes on."""

import time
from typing import Any

import pytest
from fumehood.graph.chat import Reply
from fumehood.graph.errors import SettingsInvalid
from fumehood.graph.state import Usage
from fumehood.graph.stop import StopReason

NUMBER = {"type": "number"}


def test_declared_file_ends_the_run_without_a_result(bench: Any, code: Any) -> None:
    outcome = bench.run([code("open('output/a.txt', 'w').write('x')")], outputs=["a.txt"])
    assert outcome.status == "answered"
    assert outcome.result is None
    assert [item.path for item in outcome.artifacts] == ["output/a.txt"]


def test_file_of_a_failed_program_does_not_count(bench: Any, code: Any) -> None:
    outcome = bench.run([code("open('output/a.txt', 'w').write('half')\nraise RuntimeError('no')"), code("print('done')")],
                        outputs=["a.txt"], max_steps=1)
    assert outcome.status == "stopped"
    assert outcome.attempts[-1].reason is StopReason.ARTIFACT_MISSING


def test_input_of_the_same_name_does_not_count(bench: Any, code: Any) -> None:
    outcome = bench.run([code("print('done')")], files={"output/a.txt": b"given"}, outputs=["a.txt"], max_steps=1)
    assert outcome.attempts[-1].reason is StopReason.ARTIFACT_MISSING


def test_empty_output_file_is_invalid(bench: Any, code: Any) -> None:
    outcome = bench.run([code("open('output/a.txt', 'w')")], outputs=["a.txt"], max_attempts=1)
    assert outcome.attempts[-1].reason is StopReason.ARTIFACT_INVALID


def test_mark_in_a_program_ends_the_run(bench: Any, code: Any) -> None:
    plan = '{"steps": ["look"], "needs_code": true, "result_schema": "{\\"type\\": \\"integer\\"}"}'
    outcome = bench.run([code("print('nothing to compute here')\n# TASK_COMPLETE")], plans=[plan])
    assert outcome.status == "answered"
    assert "nothing to compute here" in outcome.message


def test_mark_does_not_replace_the_callers_result(bench: Any, code: Any) -> None:
    outcome = bench.run([code("print('done')\n# TASK_COMPLETE"), code("print(1)")], result=NUMBER)
    assert outcome.result == 1
    assert len(outcome.attempts) == 2


def test_mark_in_a_reply_without_code(bench: Any, code: Any) -> None:
    plan = '{"steps": ["look"], "needs_code": true, "result_schema": "{\\"type\\": \\"integer\\"}"}'
    outcome = bench.run([code("print('the table has no rows')"), "That is all there is to say.\n\n# TASK_COMPLETE"],
                        plans=[plan])
    assert outcome.status == "answered"
    assert "no rows" in outcome.message


def test_model_says_that_it_cannot(bench: Any) -> None:
    outcome = bench.run(["CANNOT_ANSWER: the file has no dates"])
    assert outcome.stop_reason is StopReason.CANNOT_ANSWER
    assert "no dates" in outcome.message


def test_token_budget(bench: Any, code: Any) -> None:
    dear = Reply(text=code("print('looking')"), usage=Usage(calls=1, input_tokens=900, output_tokens=200))
    outcome = bench.run([dear, dear], result=NUMBER, max_tokens=1000)
    assert outcome.stop_reason is StopReason.BUDGET_EXHAUSTED
    assert outcome.usage.input_tokens == 900
    assert "1000 tokens" in outcome.message


def test_wall_clock_budget(bench: Any, code: Any) -> None:
    slow = code("import time\ntime.sleep(1.5)\nprint('slept')")
    outcome = bench.run([slow, code("print(1)")], result=NUMBER, max_wall_s=1)
    assert outcome.stop_reason is StopReason.BUDGET_EXHAUSTED


def test_reply_cut_by_length_is_never_run(bench: Any, code: Any) -> None:
    outcome = bench.run([Reply(text="```python\nprint(1)\n", finish_reason="length"), code("print(2)")], result=NUMBER)
    assert outcome.result == 2
    assert outcome.attempts[0].reason is StopReason.REPLY_TRUNCATED
    assert outcome.attempts[0].execution is None


def test_invariant_that_does_not_hold(bench: Any, code: Any) -> None:
    parts = {"invariants": {"positive": lambda result, folder: result > 0 or "it is negative"}}
    outcome = bench.run([code("print(-1)"), code("print(1)")], parts=parts, result=NUMBER, invariants=["positive"])
    assert outcome.result == 1
    assert outcome.attempts[0].reason is StopReason.INVARIANT_FAILED
    assert "it is negative" in bench.chat.prompts["program"][1][-1].content


def test_invariant_that_raises_does_not_hold(bench: Any, code: Any) -> None:
    parts = {"invariants": {"total": lambda result, folder: result["total"] == sum(result["rows"])}}
    outcome = bench.run([code("final_answer({'rows': [1]})"), code("final_answer({'rows': [1], 'total': 1})")], parts=parts,
                        result={"type": "object"}, invariants=["total"])
    assert outcome.result == {"rows": [1], "total": 1}
    assert outcome.attempts[0].reason is StopReason.INVARIANT_FAILED
    assert "KeyError: 'total'" in bench.chat.prompts["program"][1][-1].content


@pytest.mark.parametrize("program", [None, "print(1)"])
@pytest.mark.parametrize("kind", ["tools", "invariants"])
def test_function_that_nobody_registered(bench: Any, kind: str, program: str | None) -> None:
    with pytest.raises(SettingsInvalid, match=rf"{kind} absent are not registered; .*Parts\({kind}="):
        bench.run([], program=program, **{kind: ["absent"]})


def test_tool_called_from_code(bench: Any, code: Any, tmp_path: Any) -> None:
    policy = tmp_path / "with-tools.toml"
    policy.write_text('extends = "data-analysis"\nname = "with-tools"\n\n[add]\ntools = ["rate"]\n')
    calls = []

    def rate(currency: str) -> float:
        """Euros for one unit of a currency."""
        calls.append(currency)
        return {"USD": 0.5}[currency]

    outcome = bench.run([code("final_answer(3 * tools.rate('USD'))")], parts={"tools": {"rate": rate}}, result=NUMBER,
                        tools=["rate"], policy=str(policy))
    assert outcome.result == 1.5, outcome.message
    assert calls == ["USD"]
    assert [(call.name, call.outcome) for call in outcome.evidence.tool_calls] == [("rate", "returned")]
    assert "rate(currency: str)" in bench.chat.prompts["program"][0][0].content


def test_output_is_heard_while_the_program_runs(bench: Any) -> None:
    heard: list[float] = []
    driver = bench.make([])
    hear = bench.hear

    def on_event(event: Any) -> None:
        hear(event)
        if event["mode"] == "custom" and event["data"].get("event") == "output":
            heard.append(time.monotonic())

    driver._on_event = on_event
    outcome = driver.start(bench.task(program="import time\nprint('first')\ntime.sleep(2)\nprint('second')"))
    assert outcome.status == "answered"
    assert heard[-1] - heard[0] > 1
