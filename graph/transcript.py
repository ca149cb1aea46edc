"""Programs as they look after a way through other tools: with prompts and outputs of a session, line numbers, escapes."""

import json
import re
from typing import Any

_PROMPT = re.compile(r"[ \t]*(?:>>>|In \[\d+\]:)(?: |$)")
_CONTINUED = re.compile(r"[ \t]*\.\.\.(?:: | |:?$)")
_NUMBERED = re.compile(r"[ \t]*(\d+)(?: ?[|│:] ?|\t| |$)(.*)")
_ESCAPED = re.compile(r'\\([nt"\'\\])')
_MEANT = {"n": "\n", "t": "\t"}


def is_session(code: str) -> bool:
    """Whether the first line that holds something begins with a prompt of Python or IPython."""
    first = next((line for line in code.split("\n") if line.strip()), "")
    return bool(_PROMPT.match(first))


def without_prompts(code: str) -> str:
    """The statements of a session, without its prompts and outputs."""
    if not is_session(code):
        return code
    kept, going = [], False
    for line in code.split("\n"):
        if found := _PROMPT.match(line) or (going and _CONTINUED.match(line)):
            kept.append(line[found.end():])
            going = True
        else:
            going = False
    return "\n".join(kept) + "\n"


def without_line_numbers(code: str) -> str:
    """The code without numbers before its lines, where every line has one and each is one more than the last."""
    lines = code.rstrip("\n").split("\n")
    found = [_NUMBERED.fullmatch(line) for line in lines]
    numbers = [int(match[1][:9]) for match in found if match]
    if len(lines) < 2 or len(numbers) < len(lines) or numbers != list(range(numbers[0], numbers[0] + len(lines))):
        return code
    return "".join(f"{match[2]}\n" for match in found if match)


def unescaped(code: str) -> str:
    """One line whose line breaks were written as backslash and n, with real ones."""
    text = code.strip("\n")
    if "\n" in text or "\\n" not in text:
        return code
    return _ESCAPED.sub(lambda found: _MEANT.get(found[1], found[1]), text) + "\n"


def notebook_program(text: str) -> str:
    """The code cells of a notebook's JSON as one program; empty where the text is no notebook."""
    if '"cells"' not in text:
        return ""
    try:
        document: Any = json.loads(text[text.find("{"):text.rfind("}") + 1], strict=False)
    except (ValueError, RecursionError):
        return ""
    cells = document.get("cells") if isinstance(document, dict) else None
    sources = [cell.get("source") for cell in cells if isinstance(cell, dict) and cell.get("cell_type") == "code"] \
        if isinstance(cells, list) else []
    texts = [source if isinstance(source, str) else "".join(map(str, source))
             for source in sources if isinstance(source, str | list)]
    return "\n".join(text.rstrip("\n") + "\n" for text in texts)
