"""What a model or a program sends is read in time that grows about with its size, whatever it is."""

import random
import time
from collections.abc import Callable

import pytest
from fumehood.graph.chat import Reply, ToolRequest
from fumehood.graph.explain import explanation
from fumehood.graph.observation import observe
from fumehood.graph.planning import read_plan
from fumehood.graph.redact import without_secrets
from fumehood.graph.reply import read_reply
from fumehood.graph.terminal import readable
from fumehood.sandbox.execution import Execution, ProgramError

SMALL, TIMES = 1_000, 10
GROWTH = 30
"""Of the processor time at ten times the size: linear is 10, quadratic 100."""
FLOOR_S = 0.01
"""Below it a measurement says nothing."""

READERS: dict[str, Callable[[str], object]] = {
    "reply": lambda text: read_reply(Reply(text=text)),
    "open block": lambda text: read_reply(Reply(text=f"```python\n{text}")),
    "tool call": lambda text: read_reply(Reply(tool_calls=[ToolRequest(name="run_python", arguments=text)])),
    "plan": read_plan,
    "plan, broken": lambda text: read_plan('{"steps": ["a"], "x": ' + text),
    "explanation": lambda text: explanation(None, '{"a": 1}', text, "the goal", text),
    "observation": lambda text: observe(Execution(
        outcome="error", exit_code=1, error=ProgramError(type="E", message=text, line=1, traceback=text), stdout=text,
        stderr=text, stdout_bytes=len(text)), program=text),
    "terminal": readable,
    "secrets": lambda text: without_secrets(text, {}),
}
UNITS = [
    "'''", '"""', "```\n", "```python\n", "~~~\n", "`", "<think>", "</think>\n", "<code>\n", "<tool_call>{", '{"code":',
    "{", "[", "> ", "- ", "1. ", "    x\n", "\t", "\\", "&lt;", "x = 1\n", "CANNOT_ANSWER: x\n", "a\n\n", " \n",
    "[PYTHON]\n", "```python x```\n", "1-1-1-", "1 ", "12:34:", "a_1 ", "\x1b[", "\b", "a\r", "-----BEGIN ", "eyJ", "x.csv ",
    "`<code>\n>     x\n", "```python\n'''\n```\n* ", "```\nx='''\n```\na\r- 1-1-1-", "1. ```\nx='''\n```\n",
    "```python\nprint(1)\n```\n", ">>> x\n", "# TASK_COMPLETE\n", "a://b:", "'a': None,", "// x\n",
    "Action Input: x\n", "Thought: ", "\\begin{verbatim}\n", "\\begin{minted}{python}\nx = 1\n", "<answer>",
    "{code}\n", "[code]\n", "<arg_key>code</arg_key><arg_value>", "<|tool_call|>[{", "x = (\n", "sorry? ",
    "<pre>\n", "<invoke>", "<|x|>", "<tool>  \n", "run_python(", "<|a|>{",
    "<solution>x = 1\n", "x = 1\nwords of it\n", "import x\nis what it is\n",
]


def spent(read: Callable[[str], object], text: str) -> float:
    since = time.process_time()
    read(text)
    return time.process_time() - since


def growth(read: Callable[[str], object], unit: str) -> float:
    small, large = ((unit * (size // len(unit) + 1))[:size] for size in (SMALL, SMALL * TIMES))
    return spent(read, large) / max(spent(read, small), FLOOR_S)


@pytest.mark.parametrize("reader", list(READERS))
def test_time_grows_about_with_the_size(reader: str) -> None:
    seed = random.Random(reader)
    units = [*UNITS, *("".join(seed.sample(UNITS, 3)) for _ in range(6))]
    slow = [unit for unit in units if growth(READERS[reader], unit) > GROWTH]
    # A measurement that another process disturbed is taken once more.
    assert [unit for unit in slow if growth(READERS[reader], unit) > GROWTH] == []


def test_what_is_nested_without_end_is_refused() -> None:
    for text in (" " * 12_000 + "`" * 12_000, "    ```\n" * 3_000, "> " * 20_000, "- " * 20_000):
        read_reply(Reply(text=f"```python\n{text}"))
        read_reply(Reply(text=text))
        read_reply(Reply(tool_calls=[ToolRequest(name="run_python", arguments='{"code": "' + text.strip("\n") + '"}')]))


def test_a_result_of_endless_text_supports_what_stands_at_its_beginning() -> None:
    since = time.process_time()
    told = explanation(None, '["7", "' + "1-" * 500_000 + '", "9"]', "There are 7 rows. There are 9 columns.", "g")
    assert told.text.startswith("There are 7 rows.")
    assert len(told.dropped) == 1
    assert time.process_time() - since < 60
