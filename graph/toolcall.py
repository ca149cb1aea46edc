"""The program in the arguments of a tool call, which are JSON as a model writes JSON."""

import ast
import json
import re
from typing import Any

from .syntax import parse

MAX_ARGUMENT_CHARS = 400_000
_SURE = ("code", "program", "python", "python_code")
"""Names of an argument that can be nothing else than the program."""
_NAMES = ("code", "program", "python", "python_code", "source", "script", "input", "__arg1")
_BAD_ESCAPE = re.compile(r'\\(?:u(?![0-9a-fA-F]{4})|[^"\\/bfnrtu])|\\(["\\/bfnrtu])')
_TRAILING = re.compile(r"(?:\s|\}|<[|/]?[\w| ]{1,30}>|```)*")


class NotAProgram(ValueError):
    """The arguments hold no program; `str()` says what was wrong with them, without their text."""


def _decoded(text: str) -> Any:
    """The JSON value, with raw line breaks in strings and wrong escapes taken for what they must mean. Raises ValueError."""
    decoder = json.JSONDecoder(strict=False)
    first: ValueError | None = None
    repaired = _BAD_ESCAPE.sub(lambda m: m[0] if m[1] else "\\" + m[0], text)
    for candidate in dict.fromkeys((text, repaired)):
        try:
            value, end = decoder.raw_decode(candidate)
        except ValueError as error:
            first = first or error
            continue
        except RecursionError:
            raise NotAProgram("they are nested too deeply") from None
        if _TRAILING.fullmatch(candidate, end):
            return value
        raise NotAProgram("text follows the JSON object")
    if text.startswith(("{'", "{ '")):
        try:
            return ast.literal_eval(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            pass  # what the JSON parser said is the better message
    assert first is not None
    raise first


def program_of(arguments: str) -> str:
    """The program text of one call's arguments. Never a cut or an empty one.

    Raises NotAProgram.
    """
    if len(arguments) > MAX_ARGUMENT_CHARS:
        raise NotAProgram(f"they have {len(arguments):,} characters; at most {MAX_ARGUMENT_CHARS:,} are taken")
    text = arguments.strip().removeprefix("\ufeff")
    fenced = re.fullmatch(r"```(?:json)?\s*\n(.*)\n```", text, re.S)
    text = fenced[1].strip() if fenced else text
    if not text:
        raise NotAProgram("they are empty")
    try:
        value = _decoded(text)
        if isinstance(value, str) and value.lstrip().startswith("{"):
            value = _decoded(value.strip())
    except NotAProgram:
        raise
    except json.JSONDecodeError as error:
        raise NotAProgram(f"they are not valid JSON ({error.msg.removesuffix(' at')}, character {error.pos})") from None
    except ValueError as error:
        raise NotAProgram(f"they are not valid JSON ({str(error)[:200]})") from None
    if not isinstance(value, dict):
        kind = {list: "an array", type(None): "null", str: "a string", bool: "true or false"}.get(type(value), "a number")
        raise NotAProgram(f"they are {kind}, not a JSON object")
    named = [value[name] for name in _NAMES if name in value]
    programs = named or (list(value.values()) if len(value) == 1 else [])
    if not programs:
        raise NotAProgram('the JSON object has no "code"')
    if not isinstance(programs[0], str) or not programs[0].strip():
        raise NotAProgram('"code" is no text, or empty')
    return programs[0]


_CALL = re.compile(
    r"<(?:tool_call|function_?call|tools?|function(?:=|\s+name=)\"?(?P<tagged>\w+)\"?)>\s*(?:\[\s*)?(?=\{)|\A\s*(?:\[\s*)?(?=\{)"
    # What the templates of several model families write before a call: Llama, Granite, Cohere and others in bars, Nemotron,
    # Mistral, DeepSeek, Kimi, gpt-oss.
    r"|(?:<\|\w{1,30}\|>|<TOOLCALL>|\[TOOL_CALLS\]|\bfunctools)\s*(?:\[\s*)?"
    r"(?:(?P<named>\w+)\s*(?:\[ARGS\]\s*)?)?(?=\{)"
    r"|<｜tool▁sep｜>(?P<separated>\w+)\s*(?:```(?:json)?\s*)?(?=\{)|<｜tool▁call▁begin｜>(?P<begun>\w+)<｜tool▁sep｜>\s*(?=\{)"
    r"|<\|tool_call_begin\|>(?:functions\.)?(?P<counted>\w+)(?::\d+)?\s*<\|tool_call_argument_begin\|>\s*(?=\{)"
    r"|\bto=functions\.(?P<addressed>\w+)[^{}\n]{0,60}<\|message\|>\s*(?=\{)")
_NAMED = ("name", "tool", "tool_name", "action", "function")
_GIVEN = ("arguments", "parameters", "args", "tool_input", "action_input")
_CALLS = 20
_DEEPEST = 3
"""Tags around a call."""


def broken_call(text: str) -> str:
    """The arguments of a call that was begun in the text and whose JSON does not end; empty where none was begun."""
    match = next((found for found in _CALL.finditer(text) if found.group().strip()), None)
    return text[match.end():].partition("</tool_call>")[0] if match else ""


def calls_in_text(text: str) -> list[tuple[str, str, tuple[int, int]]]:
    """Tool calls that a server left in the text: name, arguments as JSON text, place in the text.

    The name is empty where the arguments stand alone. Only calls that are whole: what does not decode is no call.
    """
    found: list[tuple[str, str, tuple[int, int]]] = []
    position = 0
    for _ in range(_CALLS):
        match = _CALL.search(text, position)
        if match is None:
            break
        position = match.end()
        try:
            value, end = json.JSONDecoder(strict=False).raw_decode(text, match.end())
        except (ValueError, RecursionError):
            continue
        if isinstance(several := value.get("tool_calls"), list) and len(several) == 1 and isinstance(several[0], dict):
            value = several[0]
        given = next((name for name in match.groups() if name), None)
        name: Any = given or next((value[key] for key in _NAMED if value.get(key)), None)
        arguments = value if given else next((value[key] for key in _GIVEN if key in value), None)
        if name is None and (program := next((value[key] for key in _SURE if isinstance(value.get(key), str)), None)):
            name, arguments = "", {"code": program}
        elif isinstance(arguments, str) and not arguments.lstrip().startswith(("{", '"', "```")):
            arguments = {"code": arguments}
        if isinstance(name, dict):
            name, arguments = name.get("name"), name.get("arguments", arguments)
        if isinstance(name, str) and isinstance(arguments, dict | str):
            closing = re.compile(r"\s*</(tool_call|function_call|tool|function)>").match(text, end)
            position = closing.end() if closing else end
            found.append((name, arguments if isinstance(arguments, str) else json.dumps(arguments),
                          (match.start(), position)))
    return found


def program_of_call(code: str, tool_name: str) -> str:
    """The program in a call that is written as Python, alone or in tags, in `print` or a list; other code as it is."""
    tree = parse(_without_tags(code)) if tool_name in code else None
    if tree is None or len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr):
        return code
    call = tree.body[0].value
    if isinstance(call, ast.List) and len(call.elts) == 1:
        call = call.elts[0]
    if isinstance(call, ast.Call) and len(call.args) == 1 and isinstance(call.func, ast.Name) and call.func.id == "print":
        call = call.args[0]
    if not isinstance(call, ast.Call) or len(given := [*call.args, *(keyword.value for keyword in call.keywords)]) != 1:
        return code
    called = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", None)
    text = given[0].value if isinstance(given[0], ast.Constant) else None
    return text if called == tool_name and isinstance(text, str) else code


_TAG = re.compile(r"<[|/]?[\w:]{1,30}\|?>")


def _without_tags(text: str) -> str:
    """The text without the special tokens and tags before and after it."""
    for _ in range(_DEEPEST):
        text = text.strip()
        if opening := _TAG.match(text):
            text = text[opening.end():].strip()
        if text.endswith(">") and _TAG.fullmatch(text, pos := max(0, text.rfind("<"))):
            text = text[:pos]
    return text
