"""Replies of chat models, kind by kind, and the properties that hold for whatever text comes."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from fumehood.graph.chat import Reply, ToolRequest
from fumehood.graph.fences import kind_of
from fumehood.graph.reply import Extracted, Refused, read_reply
from fumehood.graph.stop import StopReason
from fumehood.graph.toolcall import NotAProgram, program_of
from hypothesis import example, given, settings
from hypothesis import strategies as st

CASES = Path(__file__).resolve().parents[1] / "cases"
REASONS = {StopReason.NO_CODE, StopReason.REPLY_TRUNCATED, StopReason.BAD_REPLY, StopReason.SYNTAX_ERROR}


def case(number: str) -> dict[str, Any]:
    path, = CASES.glob(f"{number}_*.yml")
    loaded: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    return loaded


def replies(number: str) -> dict[str, list[Reply]]:
    """The scripted replies of a case, by run."""
    scripted = case(number)["input"]["model_replies"]
    runs = scripted if isinstance(scripted, dict) else {"": scripted}
    return {name: [as_reply(item) for item in (run if isinstance(run, list) else [run])] for name, run in runs.items()}


def as_reply(item: Any) -> Reply:
    if isinstance(item, str):
        return Reply(text=item)
    if "text" in item:
        return Reply(text=item["text"], finish_reason=item["finish_reason"])
    arguments = item["arguments"] if "arguments" in item else '{"code": ' + "q" * 600_000
    return Reply(tool_calls=[ToolRequest(name="run_python", arguments=arguments)], finish_reason="tool_calls")


def program(text: str, **given: Any) -> str:
    found = read_reply(Reply(text=text, **given))
    assert isinstance(found, Extracted), found
    return found.program


def refusal(text: str, **given: Any) -> Refused:
    found = read_reply(Reply(text=text, **given))
    assert isinstance(found, Refused), found
    return found


def fenced(code: str, tag: str = "python") -> str:
    return f"```{tag}\n{code}\n```"


# The cases


def test_a_fence_inside_a_string_does_not_cut_the_program() -> None:
    runs = replies("001")
    for name in ("A", "B"):
        found = read_reply(runs[name][0])
        assert isinstance(found, Extracted)
        assert found.program == case("001")["expect"][name]["code"]
    assert "counts are printed above" in read_reply(runs["A"][0]).prose


def test_a_draft_in_the_thinking_is_no_program() -> None:
    runs = replies("003")
    assert [read_reply(runs[name][0]).program for name in "AB"] == ['print("final")\n'] * 2  # type: ignore[union-attr]
    unfinished = read_reply(runs["C"][0])
    assert isinstance(unfinished, Refused)
    assert unfinished.reason == "no_code"
    data = read_reply(runs["D"][0])
    assert isinstance(data, Extracted)
    assert "<think>a</think>b" in data.program


def test_blocks_of_one_reply_are_one_program_in_order() -> None:
    runs = replies("004")
    first = read_reply(runs["A"][0])
    assert isinstance(first, Extracted)
    assert first.blocks == 2
    place = 0
    for part in case("004")["expect"]["A"]["code_contains_in_order"]:
        place = first.program.index(part, place) + len(part)
    second = read_reply(runs["B"][0])
    assert isinstance(second, Extracted)
    assert second.program.index("step one broke") < second.program.index("after")


def test_an_invented_output_is_neither_code_nor_prose() -> None:
    found = read_reply(replies("005")[""][0])
    assert isinstance(found, Extracted)
    assert found.program == "print(17 * 23)\n"
    assert "392" not in found.program + found.prose


@pytest.mark.parametrize(("name", "run"), replies("006").items())
def test_every_spelling_of_a_fence(name: str, run: list[Reply]) -> None:
    found = read_reply(run[0])
    assert isinstance(found, Extracted)
    assert found.blocks == 1
    assert "\r" not in found.program
    printed = case("006")["expect"]["stdout"][name].strip()
    call = ast.parse(found.program).body[-1]
    if isinstance(call, ast.If):
        call = call.body[0]
    assert isinstance(call, ast.Expr)
    assert isinstance(call.value, ast.Call)
    argument = call.value.args[0]
    assert (ast.literal_eval(argument) if isinstance(argument, ast.Constant) else "```".count("`")) == int(printed)


def test_a_cut_reply_is_never_a_program() -> None:
    cut, whole = replies("008")[""]
    refused = read_reply(cut)
    assert isinstance(refused, Refused)
    assert refused.reason == "reply_truncated"
    assert "cut off" in refused.message
    assert "code block" not in refused.message
    assert isinstance(read_reply(whole), Extracted)


@pytest.mark.parametrize(("name", "code"), [
    ("partial", "print(2 ** 10)"), ("open_only", "print(2 ** 11)"), ("mixed", "print(3 ** 4)"),
    ("double", "print(5 * 5)"), ("tag_in_string", 'html = "<b><code>x</code></b>"\nprint(len(html))')])
def test_no_rest_of_a_tag_stays_on_the_program(name: str, code: str) -> None:
    found = read_reply(replies("009")[name][0])
    assert isinstance(found, Extracted)
    assert found.program == code + "\n"


@pytest.mark.parametrize("name", ["partial", "open_only"])
def test_an_open_tag_of_a_reply_cut_by_length_is_cut_off(name: str) -> None:
    reply = replies("009")[name][0].model_copy(update={"finish_reason": "length"})
    found = read_reply(reply)
    assert isinstance(found, Refused)
    assert found.reason == "reply_truncated"


def test_prose_is_no_code() -> None:
    for reply in replies("010")[""]:
        found = read_reply(reply)
        assert isinstance(found, Refused)
        assert found.reason == "no_code"
        assert "python code block" in found.message


@pytest.mark.parametrize(("name", "run"), replies("013").items())
def test_tool_arguments_that_are_no_json(name: str, run: list[Reply]) -> None:
    repaired = {"raw_newline": "x = 1\nprint(x)", "bad_escape": "import re; print(re.findall('\\d+', 'a12'))"}
    first, last = read_reply(run[0]), read_reply(run[-1])
    if name in repaired:
        assert isinstance(first, Extracted)
        assert first.program == repaired[name]
    else:
        assert isinstance(first, Refused)
        assert first.reason == "bad_reply"
        assert "run_python" in first.message
        assert "JSON" in first.message
        assert len(first.message) < 4000
        assert "qqqq" not in first.message
        assert "rmtree" not in first.message
    assert isinstance(last, Extracted)
    assert last.program == "print('ok')"


@pytest.mark.parametrize(("name", "run"), replies("039").items())
def test_text_that_is_not_python_is_refused_with_its_fault(name: str, run: list[Reply]) -> None:
    found = read_reply(run[0])
    if name == "nbsp":
        assert isinstance(found, Extracted)
        assert found.program == "x = 1\nprint(x, 'a\u00a0b')\n"
    else:
        assert isinstance(found, Refused)
        assert found.reason == "syntax_error"
        for said in case("039")["expect"]["feedback_contains"][name]:
            assert said in found.message


# Fences and tags beyond the cases


SPELLINGS = {
    "numbered list, content not indented": "1. run:\n   ```python\n{code}\n   ```\n",
    "deep list": "- a\n  - b\n\n    ```python\n    {code}\n    ```\n",
    "indented by four": "Text\n\n    ```python\n    {code}\n    ```\n",
    "pandoc attributes": "```{{.python .numberLines}}\n{code}\n```",
    "notebook cell": "```{{code-cell}} ipython3\n{code}\n```",
    "version": "```python3.11\n{code}\n```", "file name": "```python:main.py\n{code}\n```",
    "gemini": "```tool_code\n{code}\n```", "unclosed": "Here:\n```python\n{code}\n",
    "end token": "```python\n{code}\n```<end_code>", "special token": "```python\n{code}\n```<|im_end|>",
    "open with special token": "```python\n{code}\n<|eot_id|>", "long tilde": "~~~~ python\n{code}\n~~~~",
    "copied": "python\nCopy code\n{code}", "bare program": "{code}",
    "code tag": "<code>\n{code}\n</code>", "code tag on the line": "Code:\n<code>{code}</code>",
    "xml tag": "<python>\n{code}\n</python>", "bare carriage returns": "```python\r{code}\r```\r",
    "byte order mark": "\ufeff```python\n{code}\n```", "html below": "<div>\n```python\n{code}\n```\n</div>",
    "harmony": "<|channel|>analysis<|message|>draft ```python\nx\n```<|end|><|start|>assistant<|channel|>final<|message|>"
               "```python\n{code}\n```<|return|>",
    "mistral thinking": "[THINK]print(0)[/THINK]```python\n{code}\n```",
    "thinking with an open fence": "<think>\n```python\nprint('draft'\n</think>\n```python\n{code}\n```",
    "only the closing tag, fence left open": "Idea:\n```python\nprint('draft'\n</think>\n```python\n{code}\n```",
    "two thinking sections": "<think>a</think>\n<think>b</think>\n```python\n{code}\n```",
    "tag in prose": "I thought about `<think>` first.\n```python\n{code}\n```",
    "tool call in text": '<tool_call>\n{{"name": "run_python", "arguments": {{"code": "{code}"}}}}\n</tool_call>',
    "function tag": '<function=run_python>{{"code": "{code}"}}</function>',
    "json reply": '{{"name": "run_python", "parameters": {{"code": "{code}"}}}}',
    "one line": "```python {code}```", "name on the first line": "```\npython\n{code}\n```",
    "fence opened twice": "```python\n```python\n{code}\n```\n```",
    "all in a markdown fence": "````markdown\nSo:\n```python\n{code}\n```\n````",
    "invisible before the fence": "\u200b```python\n{code}\n\u200b```", "quotes as a fence": "'''python\n{code}\n'''",
    "llama tags": "[PYTHON]\n{code}\n[/PYTHON]", "codeact": "<execute>\n{code}\n</execute>",
    "qwen coder": "<tool_call>\n<function=run_python>\n<parameter=code>\n{code}\n</parameter>\n</function>\n</tool_call>",
    "parameter by name": '<invoke name="run_python">\n<parameter name="code">{code}</parameter>\n</invoke>',
    "arguments alone": '{{"code": "{code}"}}', "arguments in a fence": '```json\n{{"code": "{code}"}}\n```',
    "whole program indented": "```python\n    {code}\n```",
}


@pytest.mark.parametrize("form", SPELLINGS.values(), ids=SPELLINGS)
def test_spellings_that_models_use(form: str) -> None:
    assert program(form.format(code="print(6 * 7)")).strip() == "print(6 * 7)"


@pytest.mark.parametrize(("info", "kind"), [
    ("Python title=x", "python"), ("{python}", "python"), ("py", "python"), ("text", "other"), ("output", "other"),
    ("json", "other"), ("Bash", "shell"), ("console", "shell"), ("", "untagged"), ("pycon", "other"),
    ("python-repl", "other"), ("{.py}", "python"), ("language-python", "python"), ("pytb", "other"),
    ("pyret", "other")])
def test_what_an_info_string_says(info: str, kind: str) -> None:
    assert kind_of(info)[0] == kind


def test_the_middle_of_a_list_keeps_its_indentation() -> None:
    text = ("1. first\n\n   ```python\n   def f(x):\n       return x\n   ```\n\n"
            "2. then\n\n   ```python\n   print(f(1))\n   ```\n")
    assert program(text) == "def f(x):\n    return x\n\nprint(f(1))\n"


def test_a_broken_program_with_a_fence_in_a_string_is_named_by_its_real_fault() -> None:
    refused = refusal('```python\ntext = """\n```bash\nls\n```\n"""\nprint(text\n```\nDone.')
    assert "line 6" in refused.message
    assert "never closed" in refused.message


def test_a_second_opening_fence_closes_the_first() -> None:
    assert program("```python\na = 1\n```python\nprint(a)\n```") == "a = 1\n\nprint(a)\n"


def test_statements_that_a_later_block_repeats_run_once() -> None:
    first = "import json\nrows = [1, 2]"
    text = fenced(first) + "\nAll of it:\n" + fenced(first + "\nprint(json.dumps(rows))")
    assert program(text) == "import json\nrows = [1, 2]\nprint(json.dumps(rows))\n"


def test_a_future_import_of_a_later_block_moves_to_the_top() -> None:
    text = fenced("x = 1") + "\n" + fenced("from __future__ import annotations\nprint(x)")
    assert program(text).startswith("from __future__ import annotations\n")


def test_an_untagged_block_that_the_program_needs_belongs_to_it() -> None:
    text = fenced("rows = [3, 4]", "") + "\nthen\n" + fenced("print(sum(rows))")
    assert program(text) == "rows = [3, 4]\n\nprint(sum(rows))\n"


@pytest.mark.parametrize("tag", ["", "text", "output", "json", "html", "sql", "pycon"])
def test_other_blocks_are_left_alone(tag: str) -> None:
    assert program(fenced("print(1)") + "\n\nResult:\n" + fenced("print('invented')", tag)) == "print(1)\n"


def test_a_quoted_example_is_left_alone() -> None:
    quoted = "> ```python\n> raise SystemExit(1)\n> ```\n"
    assert program(f"You wrote:\n\n{quoted}\nBetter:\n\n{fenced('print(1)')}") == "print(1)\n"
    assert "quotation" in refusal(quoted).message


@pytest.mark.parametrize("tag", ["bash", "sh", "console", "powershell"])
def test_a_shell_block_alone_is_refused_in_words(tag: str) -> None:
    refused = refusal(fenced("pip install pandas", tag))
    assert refused.reason == "no_code"
    assert f"{tag} block" in refused.message
    assert "no shell" in refused.message


def test_a_shell_block_beside_the_program_is_noted() -> None:
    found = read_reply(Reply(text=fenced("pip install x", "bash") + "\n" + fenced("print(1)")))
    assert isinstance(found, Extracted)
    assert found.program == "print(1)\n"
    assert "bash" in found.notes[0]


@pytest.mark.parametrize("code", ["for each row: add it up", "392", "total", "x: int", "a, b"])
def test_an_untagged_block_without_a_program_is_no_code(code: str) -> None:
    assert refusal(fenced(code, "")).reason == "no_code"


def test_an_untagged_block_that_was_meant_as_python_is_told_its_fault() -> None:
    refused = refusal(fenced("import json\nprint(json.dumps({)", ""))
    assert refused.reason == "syntax_error"
    assert "line 2" in refused.message


@pytest.mark.parametrize("text", [
    "4", "done", "print", "'text'", "x = 4", "answer: 4", "", "   \n", "None", "```\n```"])
def test_short_prose_that_happens_to_be_python_is_no_code(text: str) -> None:
    assert refusal(text).reason == "no_code"


# How replies end


@pytest.mark.parametrize("finish", ["length", "max_tokens", "MAX_TOKENS", "model_length"])
def test_a_reply_cut_by_its_length_is_not_read(finish: str) -> None:
    assert refusal(fenced("print(1)"), finish_reason=finish).reason == "reply_truncated"


def test_a_cut_tool_call_is_not_read() -> None:
    call = ToolRequest(name="run_python", arguments='{"code": "print(1)"}')
    found = read_reply(Reply(tool_calls=[call], finish_reason="length"))
    assert isinstance(found, Refused)
    assert found.reason == "reply_truncated"


def test_an_open_block_without_a_finish_reason_is_cut_off() -> None:
    assert refusal("```python\nprint(1)\n", finish_reason="unknown").reason == "reply_truncated"
    assert program("```python\nprint(1)\n", finish_reason="stop") == "print(1)\n"
    assert program(fenced("print(1)"), finish_reason="unknown") == "print(1)\n"


@pytest.mark.parametrize("code", ["rows = [1,", "for x in range(3):", 'text = """abc'])
def test_an_open_block_that_stops_in_the_middle_is_cut_off(code: str) -> None:
    assert refusal(f"```python\n{code}", finish_reason="stop").reason == "reply_truncated"
    assert refusal(fenced(code)).reason == "syntax_error"


def test_a_filtered_reply_is_not_run() -> None:
    assert refusal(fenced("print(1)"), finish_reason="content_filter").reason == "bad_reply"


@pytest.mark.parametrize("text", ["# TASK_COMPLETE", "All is written.\n# TASK_COMPLETE\n"])
def test_the_end_is_marked_in_the_reply(text: str) -> None:
    assert refusal(text).complete
    found = read_reply(Reply(text=fenced("print(1)") + "\n" + text))
    assert isinstance(found, Extracted)
    assert found.complete


@pytest.mark.parametrize(("code", "complete"), [
    ("print(1)  # TASK_COMPLETE", True), ("#TASK_COMPLETE", True), ("print('# TASK_COMPLETE')", False),
    ("'''\n# TASK_COMPLETE\n'''", False)])
def test_the_end_is_marked_by_a_comment_and_no_string(code: str, complete: bool) -> None:
    found = read_reply(Reply(text=fenced(code)))
    assert isinstance(found, Extracted)
    assert found.complete == complete


@pytest.mark.parametrize(("text", "reason"), [
    ("CANNOT_ANSWER: there is no price column", "there is no price column"),
    ("I looked at it.\n\n**CANNOT_ANSWER:** the file is empty\nand stays so.\n\nBye.",
     "the file is empty\nand stays so."),
    (fenced("CANNOT_ANSWER: no data", ""), "no data"), ("CANNOT_ANSWER", "no reason given"),
    ("<think>CANNOT_ANSWER: x</think>4", None), ("I will say CANNOT_ANSWER: never", None)])
def test_a_model_may_say_that_it_cannot(text: str, reason: str | None) -> None:
    assert refusal(text).cannot_answer == reason


def test_a_program_wins_over_a_word_that_it_cannot_be_done() -> None:
    assert program(fenced("print(1)") + "\nCANNOT_ANSWER: perhaps") == "print(1)\n"


# Programs that nothing marks

MEAN = "import pandas as pd\n\nframe = pd.read_csv('a.csv')\nprint(frame['x'].mean())\n"


@pytest.mark.parametrize("text", [
    f"Here is the program:\n\n{MEAN}\nIt prints the mean of x.",
    f"Sure! First we read the file.\n\n{MEAN}Done",
    f"# Plan\nRead it, then take the mean.\n\n{MEAN}",
    f"Thought: read it first.\nAction: run_python\nAction Input: {MEAN}Observation: 4\nThought: I know it.\nFinal Answer: 4",
    "Action: run_python\nAction Input: " + json.dumps({"code": MEAN}),
    f"The program:\n\\begin{{lstlisting}}[language=Python]\n{MEAN}\\end{{lstlisting}}\nas wanted.",
    f"\\begin{{minted}}{{python}}\n{MEAN}\\end{{minted}}", f"\\begin{{verbatim}}\n{MEAN}\\end{{verbatim}}",
    f"<answer>\n{MEAN}</answer>", f"I would do this.\n<solution>\n{MEAN}</solution>\nThat is all.",
    f"<code><![CDATA[\n{MEAN}]]></code>",
    ">>> import pandas as pd\n>>> \n>>> frame = pd.read_csv('a.csv')\n>>> print(frame['x'].mean())\n4.0\n"])
def test_a_program_that_nothing_marks_is_found(text: str) -> None:
    assert ast.dump(ast.parse(program(text))) == ast.dump(ast.parse(MEAN))


SENT = json.dumps({"code": MEAN})
JSON_TEXT = json.dumps(MEAN)
CALLED = json.dumps({"name": "run_python", "arguments": {"code": MEAN}})
INDENTED = MEAN.replace("\n\n", "\n").replace("\n", "\n  ").rstrip()
FORMS = {
    "a label": f"Python\n{MEAN}", "a bold label": f"**Python code:**\n\n{MEAN}", "a rule": f"---\n{MEAN}---",
    "sections": f"### Solution\n\n{MEAN}\n### Explanation\n\nThis prints the mean.",
    "a farewell": f"{MEAN}\n\nLet me know if you need anything else!", "a courtesy": f"{MEAN}\nShall I plot it too?",
    "steps": "1. Read it\n\nimport pandas as pd\nframe = pd.read_csv('a.csv')\n\n2. Print it\n\nprint(frame['x'].mean())\n",
    "bold steps": "**Step 1**\n\nimport pandas as pd\nframe = pd.read_csv('a.csv')\n\n**Step 2**\n\n"
                  "print(frame['x'].mean())\n",
    "two columns of space": f"Here is the code:\n\n  {INDENTED}\nDone.", "docutils": f".. code:: python\n\n  {INDENTED}\n",
    "org": f"#+BEGIN_SRC python\n{MEAN}#+END_SRC", "asciidoc": f"[source,python]\n----\n{MEAN}----",
    "jira": f"{{code:python}}\n{MEAN}{{code}}", "jira's other": f"{{noformat}}\n{MEAN}{{noformat}}",
    "a forum": f"[code=python]{MEAN}[/code]", "a forum's other": f"[CODE]\n{MEAN}[/CODE]",
    "other ticks": f"\u00b4\u00b4\u00b4python\n{MEAN}\u00b4\u00b4\u00b4", "three quotes": f'"""\n{MEAN}"""',
    "a tag of text": f"```text\n{MEAN}```", "a tag of code": f"```code\n{MEAN}```",
    "a special token": f"{MEAN}<|im_end|>", "a role": f"Assistant:\n{MEAN}", "a field of yaml": f"code: |\n  {INDENTED}\n",
    "json by another name": json.dumps({"explanation": "it reads", "python": MEAN}),
    "a tool's input": json.dumps({"tool": "run_python", "tool_input": {"code": MEAN}}),
    "an action": "```json\n" + json.dumps({"action": "run_python", "action_input": MEAN}) + "\n```",
    "a call": f"run_python({JSON_TEXT})", "a named argument": f"run_python(code={JSON_TEXT})",
    "three quotes in a call": f'run_python(code="""{MEAN}""")', "a list of calls": f"[run_python(code={JSON_TEXT})]",
    "gemini": f"```tool_code\nprint(default_api.run_python(code={JSON_TEXT}))\n```",
    "glm": f"<tool_call>run_python\n<arg_key>code</arg_key>\n<arg_value>{MEAN}</arg_value>\n</tool_call>",
    "kimi": f"<|tool_calls_section_begin|><|tool_call_begin|>functions.run_python:0<|tool_call_argument_begin|>{SENT}"
            "<|tool_call_end|><|tool_calls_section_end|>",
    "deepseek": f"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>run_python<｜tool▁sep｜>{SENT}<｜tool▁call▁end｜>",
    "granite": f"<|tool_call|>[{CALLED}]", "nemotron": f"<TOOLCALL>[{CALLED}]</TOOLCALL>",
    "path": f"```src/main.py\n{MEAN}```", "a tool's fence": f"```run_python\n{MEAN}```",
    "a hyphen": f"```python-code\n{MEAN}```", "a call's fence": f"```tool_call\n{CALLED}\n```",
    "a shorter closing": f"````python\n{MEAN}```\nThis is it.", "another closing": f"~~~python\n{MEAN}```",
    "nested tags": f"<execute_python>\n<code>\n{MEAN}</code>\n</execute_python>",
    "tags on one line": f'<invoke name="run_python"><parameter name="code">{MEAN}</parameter></invoke>',
    "seed": f"<seed:tool_call><function=run_python><parameter=code>{MEAN}</parameter></function></seed:tool_call>",
    "lfm2": f"<|tool_call_start|>[run_python(code={JSON_TEXT})]<|tool_call_end|>",
    "llama 4": f"<|python_start|>run_python(code={JSON_TEXT})<|python_end|>",
    "olmo": f"<function_calls>\nrun_python(code={JSON_TEXT})\n</function_calls>",
    "openai's own": json.dumps({"tool_calls": [{"function": {"name": "run_python", "arguments": SENT}}]}),
    "cohere": f'<|START_ACTION|>[{{"tool_name": "run_python", "parameters": {SENT}}}]<|END_ACTION|>',
    "internlm": f"<|action_start|><|plugin|>{CALLED}<|action_end|>", "firefunction": f"<functioncall>{CALLED}",
    "tools": f"<tools>[{CALLED}]</tools>", "a list": f"[{CALLED}]",
}


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS)
def test_a_form_of_another_template_is_read(text: str) -> None:
    assert ast.dump(ast.parse(program(text))) == ast.dump(ast.parse(MEAN))


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS)
def test_no_beginning_of_it_is_a_program(text: str) -> None:
    """Wherever a server that gives no finish reason stopped: the whole program comes out, or none."""
    for end in range(len(text)):
        found = read_reply(Reply(text=text[:end], finish_reason="unknown"))
        assert isinstance(found, Refused) or ast.dump(ast.parse(found.program)) == ast.dump(ast.parse(MEAN)), text[:end]
        assert isinstance(read_reply(Reply(text=text[:end], finish_reason="length")), Refused)


@pytest.mark.parametrize("text", [
    "import pandas as pd\n\nframe = pd.read_csv('a.csv')\nprint(frame['x'", "import pandas as pd\n\ndef f():\n",
    "Here:\n\nimport pandas as pd\nframe = pd.read_csv('a.csv'\n", "First:\n\nimport csv\nrows = [1]\nfor row in rows:\n",
    "So:\n\nimport csv\nprint(1)\ntotal = sum(\n", "It is:\n\nx = 1\nprint(x)\nlocal y = 2",
    "It is:\n\nx = 1\nprint(x)\n}", "const x = 1;\nconsole.log(x);\nprint(x)", "x <- c(1,2)\nprint(mean(x))"])
def test_a_program_that_breaks_off_or_is_of_another_language_is_none(text: str) -> None:
    assert refusal(text).reason == "no_code"


@pytest.mark.parametrize("text", [
    f"I could not find the column. To list the columns:\n\n{MEAN}\nPlease send the right file.",
    f"Which column do you mean?\nIf it is x:\n\n{MEAN}", f"I'm sorry, there is no such file. This reads one:\n\n{MEAN}",
    f"You would write something like this, for example:\n\n{MEAN}", f"Ich kann nicht rechnen. So geht es:\n\n{MEAN}",
    f"Please provide the data; the program would be:\n\n{MEAN}", f"The previous program:\n\n{MEAN}\nfailed.",
    f"Do not run this:\n\n{MEAN}", f"Your code was:\n\n{MEAN}\nIt has an error.", f"Observation:\n{MEAN}",
    f"<tool_response>\n{MEAN}</tool_response>", f"<example>\n{MEAN}</example>", f"User:\n{MEAN}\nOK.",
    "The mean is 42.\n\nx = 42\nfinal_answer(x)", "<answer>\nfinal_answer(42)\n</answer>"])
def test_code_that_is_only_shown_is_no_program(text: str) -> None:
    assert refusal(text).reason == "no_code"


@pytest.mark.parametrize("text", [
    json.dumps({"note": "x = 1\nrows = [x]\nprint(rows)"}), "Done:\\n\\nx = 1\\nrows = [x]\\nprint(rows)",
    "frame = table.dropna()\nso that\nprint(frame)", "```text\nmean(4)\n```", "```text\nx = 4\n```", '{"answer": 42}',
    "Output:\n```text\nimport csv\nprint(4)\n```", "[INFO] x = 3\n[INFO] done", "| a | b |\n|---|---|\n| 1 | 2 |",
    'search(query="run_python: import csv\\nprint(1)")', "1. `import csv`\n2. `print(1)`",
    "--- a.py\n+++ b.py\n@@ -1 +1 @@\n-print(1)\n+print(2)\n", "$\\boxed{42}$"])
def test_a_piece_of_a_program_and_an_answer_are_none(text: str) -> None:
    assert refusal(text).reason == "no_code"


def test_of_unmarked_programs_too_the_one_that_replaces_runs() -> None:
    right = MEAN.replace("mean", "median")
    assert "median" in program(f"Wrong:\n\n{MEAN}\nCorrected:\n\n{right}")
    assert "mean()" not in program(f"Wrong:\n\n{MEAN}\nCorrected:\n\n{right}")
    assert "median" not in program(f"Option A:\n\n{MEAN}\nOption B:\n\n{right}")


def test_runs_of_code_between_sentences_are_one_program() -> None:
    text = ("First the data:\n\nrows = [1, 2, 3]\n\nThen the sum of them:\n\ntotal = sum(rows)\nfinal_answer(total)\n\n"
            "That is it.")
    assert program(text) == "rows = [1, 2, 3]\n\ntotal = sum(rows)\nfinal_answer(total)\n"


@pytest.mark.parametrize("text", [
    "The result is:\n\nx = 5\n\nas expected.", "import taxes are 5 %.\nfrom here on they grow.", "<answer>42</answer>",
    "print(1) shows 1.\nThat is all.", "In Python:\n\nprint(4)\n", "Action: run_python\nAction Input: the mean of x",
    "CANNOT_ANSWER: the column is missing. It would be:\n\nimport pandas as pd\nprint(1)\n", "for example:\nit = 4",
    f"> {MEAN.replace(chr(10), chr(10) + '> ')}", "\\begin{verbatim}\n42\n\\end{verbatim}"])
def test_words_with_a_little_python_in_them_are_no_program(text: str) -> None:
    assert refusal(text).reason == "no_code"


# What transport does to programs


@pytest.mark.parametrize(("sent", "meant"), [
    ("if 1 &lt; 2 and True:\n    print(&quot;a&quot;)", 'if 1 < 2 and True:\n    print("a")'),
    ("x = 3\ny = x &lt; 5\nprint(y)", "x = 3\ny = x < 5\nprint(y)"), ("print('a &amp; b')", "print('a &amp; b')"),
    ("a, lt = 1, 2\nlt = a\nprint(a &lt)", "a, lt = 1, 2\nlt = a\nprint(a &lt)"),
    ("x\u00a0= 1\nprint(x)", "x = 1\nprint(x)"),
    ("if True:\n\u00a0\u00a0\u00a0\u00a0print(1)", "if True:\n    print(1)"), ("print(1)\u200b", "print(1)"),
    ("s = 'a\u202fb'  # \u00a0\nprint(s)", "s = 'a\u202fb'  # \u00a0\nprint(s)")])
def test_entities_and_odd_spaces_outside_strings_are_undone(sent: str, meant: str) -> None:
    assert program(fenced(sent)) == meant + "\n"


@pytest.mark.parametrize(("code", "said"), [
    ("print(\u201chi\u201d)", "U+201C"), ("print(\u2018hi\u2019)", "U+2018"), ("print\uff081\uff09", "U+FF08"),
    ("x = 1 \u2013 2", "U+2013"),
    ("%%time\nprint(1)", "notebook"), ("!ls", "notebook"), (">>> print(1", "prompts"), ("print 1", "print"),
    ("return 4", "final_answer"), ("await f()", "asyncio.run"), ("if True:\nprint(1)", "four spaces"),
    ("x = 'abc", "line 1"), ("pip install pandas", "shell"), ("x = '\0'", "null bytes")])
def test_a_syntax_error_says_what_is_wrong_and_where(code: str, said: str) -> None:
    refused = refusal(fenced(code))
    assert refused.reason == "syntax_error"
    assert said in refused.message
    assert "```python code block" in refused.message
    assert len(refused.message) < 3000


def test_the_caret_stands_under_the_fault_of_a_long_line() -> None:
    refused = refusal(fenced("x = [" + "1, " * 5000 + "\u201c]"))
    line, caret = next((a, b) for a, b in zip(refused.message.split("\n"), refused.message.split("\n")[1:],
                                              strict=False)
                       if a.startswith(">"))
    assert line[caret.index("^")] == "\u201c"
    assert len(refused.message) < 3000


# Tool calls


@pytest.mark.parametrize(("arguments", "code"), [
    ('{"code": "print(1)"}', "print(1)"), ('{"program": "print(1)", "why": "x"}', "print(1)"),
    ('{"anything": "print(1)"}', "print(1)"), ('"{\\"code\\": \\"print(1)\\"}"', "print(1)"),
    ('```json\n{"code": "print(1)"}\n```', "print(1)"), ("{'code': 'print(1)'}", "print(1)"),
    ('{"code": "print(1)"}}', "print(1)"), ('{"code": "print(1)"}<|tool_call_end|>', "print(1)"),
    ('{"code": "print(\'\\d\')"}', "print('\\d')"), ('{"code": "a\tb"}', "a\tb"),
    ('{"code": "print(\'\\u00e9\')"}', "print('\u00e9')"), ('{"code": "print(\'\\users\')"}', "print('\\users')")])
def test_arguments_that_can_be_read(arguments: str, code: str) -> None:
    assert program_of(arguments) == code


@pytest.mark.parametrize("arguments", [
    "", " ", "{}", "null", "[]", "3", "true", '{"code": ""}', '{"code": " \\n"}', '{"code": 3}', '{"code": null}',
    "print(1)",
    '{"code": "print(1)', '{"code": "print(1)"', "{'code': __import__('os')}", '{"code": "a"} {"code": "b"}',
    '{"a": "x", "b": "y"}',
    "[" * 100_000, '{"code": "' + "x" * 500_000 + '"}'])
def test_arguments_that_hold_no_program(arguments: str) -> None:
    with pytest.raises(NotAProgram) as fault:
        program_of(arguments)
    assert len(str(fault.value)) < 400


def test_another_tool_is_refused_by_name() -> None:
    found = read_reply(Reply(tool_calls=[ToolRequest(name="web_search", arguments="{}")]))
    assert isinstance(found, Refused)
    assert found.reason == "bad_reply"
    assert "web_search" in found.message
    assert "run_python" in found.message


def test_several_calls_are_one_program() -> None:
    calls = [ToolRequest(name="run_python", arguments=json.dumps({"code": code})) for code in ("a = 1", "print(a)")]
    found = read_reply(Reply(text=fenced("print('also in the text')"), tool_calls=calls))
    assert isinstance(found, Extracted)
    assert found.program == "a = 1\n\nprint(a)\n"


def test_a_call_with_a_fence_in_it_and_a_tool_of_another_name() -> None:
    call = ToolRequest(name="code", arguments=json.dumps({"code": fenced("print(1)")}))
    found = read_reply(Reply(tool_calls=[call]), tool_name="code")
    assert isinstance(found, Extracted)
    assert found.program == "print(1)\n"


def test_a_broken_program_in_a_call_asks_for_another_call() -> None:
    found = read_reply(Reply(tool_calls=[ToolRequest(name="run_python", arguments='{"code": "print(("}')]))
    assert isinstance(found, Refused)
    assert found.reason == "syntax_error"
    assert "run_python" in found.message


# Whatever comes


PIECES = ["```", "```python\n", "```py title=x\n", "~~~\n", "~~~python\n", "\n```\n", "````\n", "<think>",
          "</think>\n", "<code>\n", "</code>\n",
          "</code", "> ", "- ", "1. ", "    ", "\t", "\n", "\n\n", "print(1)", "x = 1\n", "import json\n",
          'text = """', '"""', "'", "#", "\\",
          "# TASK_COMPLETE\n", "CANNOT_ANSWER: no", "&lt;", "\u00a0", "\u201c", "\0", "\ud800", "\r\n", "\r", "{", "}",
          "(", "def f():\n", "Output:\n",
          "<tool_call>", '{"name": "run_python", "arguments": {"code": "print(1)"}}', "</tool_call>", "[THINK]",
          "<|im_end|>", "392", "\u200b",
          "```bash\nls\n```\n", "</think>", "<|channel|>final<|message|>"]
texts = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), max_size=40).map("".join)
finishes = st.sampled_from(["stop", "length", "unknown", "", "tool_calls", "content_filter", "eos"])


def holds(found: Extracted | Refused) -> None:
    if isinstance(found, Extracted):
        assert found.program.strip()
        compile(found.program, "program.py", "exec", dont_inherit=True)
        assert found.blocks >= 1
    else:
        assert found.reason in REASONS
        assert 20 < len(found.message) < 4000
        if found.cannot_answer is not None:
            assert found.cannot_answer


@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")
@settings(max_examples=400, deadline=None)
@given(texts, finishes)
@example("```python\n", "stop")
@example("<think>" * 30 + "```python\nprint(1)\n```", "stop")
def test_what_comes_out_is_python_or_refused_with_a_reason(text: str, finish: str) -> None:
    found = read_reply(Reply(text=text, finish_reason=finish))
    holds(found)
    if finish == "length":
        assert isinstance(found, Refused)


@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")
@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(texts, st.recursive(st.none() | st.booleans() | st.integers() | texts,
                                              lambda inner: st.lists(inner, max_size=3)
       | st.dictionaries(st.sampled_from(["code", "program", "x"]), inner, max_size=3), max_leaves=6).map(json.dumps)),
       min_size=1, max_size=3), finishes)
def test_whatever_the_arguments_of_a_call(arguments: list[str], finish: str) -> None:
    calls = [ToolRequest(name="run_python", arguments=text) for text in arguments]
    holds(read_reply(Reply(tool_calls=calls, finish_reason=finish)))


PROGRAMS = ["print(1)", "import json\n\n\ndef f(x):\n    return {'a': x}\n\n\nprint(json.dumps(f(1)))",
            "text = '''\n```\n~~~\n</code>\n'''\nprint(text)",
            'readme = """# T\n\n```bash\nls\n```\n"""\nprint(readme)', "for i in range(3):\n\tprint(i)  # </think>",
            "x = '<think>'\nprint(x)",
            "s = \"it's ``` here\"\nprint(s)", "# comment only at first\nx = 1\nif x:\n    print('\u201cquoted\u201d')",
            "text = '''\n> quoted\n1. item\n    deep\n'''\nprint(text)"]
WRAPS = {"plain": "```python\n{}\n```", "words around": "So:\n\n```py\n{}\n```\n\nDone, it's there.",
         "thinking": "<think>hm ``` hm</think>\n\n```python\n{}\n```",
         "only closing": "hm, no.\n</think>\n```python\n{}\n```",
         "output after": "```python\n{}\n```\n\nOutput:\n\n```text\n1\n```\n",
         "windows": "```python\n{}\n```\n\nBye"}


@pytest.mark.parametrize("wrap", WRAPS.values(), ids=WRAPS)
@pytest.mark.parametrize("code", PROGRAMS)
def test_a_program_comes_out_as_it_went_in(code: str, wrap: str) -> None:
    text = wrap.format(code)
    assert program(text) == code + "\n"
    assert program(text.replace("\n", "\r\n")) == code + "\n"
    indented = "1. first\n\n" + "\n".join(f"   {line}" if line else "" for line in text.split("\n"))
    if wrap in ("```python\n{}\n```",):
        assert program(indented) == code + "\n"


def test_a_huge_reply_is_refused_and_not_echoed() -> None:
    refused = refusal("```python\n" + "x" * 700_000)
    assert refused.reason == "bad_reply"
    assert len(refused.message) < 1000
    refused = refusal(fenced(f"text = '{'x' * 300_000}'"))
    assert refused.reason == "bad_reply"
    assert len(refused.message) < 1000


@pytest.mark.parametrize("deep", [
    "a" + ".b" * 5000, "1" + "+1" * 5000, "f(" * 90 + ")" * 90, "not " * 5000 + "1", "x=" * 5000 + "1",
    "a[" * 500 + "1" + "]" * 500, "lambda:" * 3000 + "1", "-" * 5000 + "1", "a if b else " * 3000 + "c"])
def test_programs_too_deep_for_the_parser_are_refused_or_taken_but_never_crash(deep: str) -> None:
    text = "\n".join([fenced(deep), fenced(f"import json\n{deep}"), fenced(f"print(a)\n{deep}", "")])
    holds(read_reply(Reply(text=text)))


SESSION = ">>> x = 3\n>>> for y in [x]:\n...     print(y)\n...\n3\n"
CELLS = json.dumps({"cells": [{"cell_type": "markdown", "source": ["# one"]}, {"cell_type": "code", "source": ["x = 3\n",
                   "y = x"]}, {"cell_type": "code", "source": "print(y)"}], "nbformat": 4})
CALL = '{"name": "run_python", "arguments": {"code": "print(1)"}}'


@pytest.mark.parametrize(("sent", "meant"), [
    (fenced(SESSION), None), (f"```pycon\n{SESSION}```", None), (f"```\n{SESSION}```", None),
    (fenced("In [1]: x = 3\nIn [2]: print(x)\n3\nOut[3]: 4"), "x = 3\nprint(x)\n"),
    (fenced("1 import json\n2 for x in [1]:\n3     print(x)"), "import json\nfor x in [1]:\n    print(x)\n"),
    (fenced(" 9 | x = 1\n10 | print(x)"), "x = 1\nprint(x)\n"),
    (fenced(r'x = 1\nprint(x, \"a\")'), 'x = 1\nprint(x, "a")\n'),
    (r"```python\nprint(1)\n```", "print(1)\n"),
    ("Here it is: ```python\nprint(1)\n```", "print(1)\n"),
    ("`python\nprint(1)\n`", "print(1)\n"), ("``py\nprint(1)\n``", "print(1)\n"), ("`print(1)`", "print(1)\n"),
    ("```main.py\nprint(1)\n```", "print(1)\n"),
    ('<pre><code class="language-python">print(1)<br>print(2)</code></pre>', "print(1)\nprint(2)\n"),
    ('<pre><code class="language-python">\nprint(1 &lt; 2)\n</code></pre>', "print(1 < 2)\n"),
    (f"```json\n{CELLS}\n```", "x = 3\ny = x\n\nprint(y)\n"), (CELLS, "x = 3\ny = x\n\nprint(y)\n"),
    ("<|python_tag|>print(1)<|eom_id|>", "print(1)\n"),
    (f"<|python_tag|>{CALL}<|eom_id|>", "print(1)"), (f"[TOOL_CALLS] [{CALL}]", "print(1)"),
    (f"functools[{CALL}]", "print(1)"),
    ('[TOOL_CALLS]run_python{"code": "print(1)"}', "print(1)"),
    ('[TOOL_CALLS]run_python[ARGS]{"code": "print(1)"}', "print(1)"),
    ('<｜tool▁call▁begin｜>function<｜tool▁sep｜>run_python\n```json\n{"code": "print(1)"}\n```<｜tool▁call▁end｜>',
     "print(1)"),
    ('<|channel|>analysis<|message|>so<|end|><|start|>assistant<|channel|>commentary to=functions.run_python '
     '<|constrain|>json<|message|>{"code": "print(1)"}<|call|>', "print(1)"),
    ("<code_interpreter>print(1)</code_interpreter>", "print(1)\n")])
def test_a_program_is_found_in_what_other_tools_made_of_it(sent: str, meant: str | None) -> None:
    assert program(sent) == (meant or "x = 3\nfor y in [x]:\n    print(y)\n\n")


@pytest.mark.parametrize(("sent", "meant"), [
    ("This was wrong:\n" + fenced("print(1 / 0)") + "\nCorrected:\n" + fenced("print(1)"), "print(1)\n"),
    (fenced("import json") + "\nHere is the complete program:\n" + fenced("import json\nfinal_answer(json.loads('1'))"),
     "import json\nfinal_answer(json.loads('1'))\n"),
    ("First:\n" + fenced("print(0)") + "\nWait, that is wrong. Corrected:\n" + fenced("print(1)"), "print(1)\n"),
    (fenced("final_answer(1)") + "\nOr shorter:\n" + fenced("final_answer(2)"), "final_answer(1)\n"),
    ("Option 1:\n" + fenced("final_answer(1)") + "\nOption 2:\n" + fenced("final_answer(2)"), "final_answer(1)\n"),
    (fenced("final_answer(1)") + "\nAlternatively:\n" + fenced("final_answer(2)"), "final_answer(1)\n"),
    ("Load:\n" + fenced("x = 1") + "\nThe final code uses it:\n" + fenced("print(x)"), "x = 1\n\nprint(x)\n"),
    ("Before the loop:\n" + fenced("x = 1") + "\nThen:\n" + fenced("print(x)"), "x = 1\n\nprint(x)\n")])
def test_what_a_reply_replaces_itself_is_not_run(sent: str, meant: str) -> None:
    assert program(sent) == meant


@pytest.mark.parametrize(("sent", "reason", "said"), [
    ("```diff\n-print(1)\n+print(2)\n```", "no_code", "not its changes"),
    ('<tool_call>\n{"name": "run_python", "arguments": {"code": "print("1")"}}\n</tool_call>', "bad_reply", "valid JSON"),
    ("You can use `print(sum(range(10)))` for it.", "no_code", "no program"),
    ("I am sorry, but I cannot help with that.", "no_code", "no program"),
    ("```javascript\nconsole.log(1)\n```", "no_code", "no Python"),
    (fenced("    return x / y"), "syntax_error", "whole corrected program"),
    (fenced("1 x = 1\n3 print(x)"), "syntax_error", "line 1")])
def test_what_is_no_program_is_refused_with_the_way_out(sent: str, reason: str, said: str) -> None:
    refused = refusal(sent)
    assert refused.reason == reason
    assert said in refused.message
