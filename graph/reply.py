"""From a model's reply to a program, or to a refusal that tells the model what to send instead.

Whatever the reply, a program that leaves here compiles. A reply that was cut is never a program.
"""

import re
from dataclasses import dataclass, field

from .chat import Reply
from .choosing import chosen_blocks
from .fences import MAX_BLOCKS, MOST_QUOTED, Block, TooManyBlocks, blocks, sections
from .lexical import comments
from .stop import StopReason
from .syntax import MAX_PROGRAM_CHARS, describe, mend, open_at_end, parses, problem, statements
from .thinking import without_thinking
from .toolcall import NotAProgram, broken_call, calls_in_text, program_of, program_of_call
from .transcript import notebook_program, unescaped
from .unmarked import unmarked_program

MAX_REPLY_CHARS = 400_000
_CUT = {"length", "max_tokens", "model_length", "incomplete"}
_FILTERED = {"content_filter", "safety", "refusal", "recitation"}
_INVISIBLE_BEFORE_FENCE = re.compile("^[\u200b\u2060\ufeff]+(?=[ \t]*(?:```|~~~))", re.M)
_COMPLETE = re.compile(r"#\s*TASK_COMPLETE\b")
_CANNOT = re.compile(r"^[ \t>*_`#-]*CANNOT_ANSWER[*_`]*\s*[:\-\u2013\u2014]?[*_`]*[ \t]*(.*(?:\n(?![ \t]*$).*)*)", re.M)
_FORMAT = "Put the whole program into one python code block:\n```python\n...\n```"
_AGAIN = "Reply with the whole corrected program in one ```python code block."


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """A program that compiles."""

    program: str
    prose: str = ""
    """The reply's text without code blocks and thinking."""
    blocks: int = 1
    """Code blocks (or tool calls) that the program was made of."""
    complete: bool = False
    """Whether reply or program say TASK_COMPLETE."""
    notes: list[str] = field(default_factory=list)
    """What was mended or left alone, for the record and for the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """No program. `message` is written for the model: what was wrong, and how to reply."""

    reason: StopReason
    message: str
    cannot_answer: str | None = None
    """The model's reason, where the reply says CANNOT_ANSWER."""
    prose: str = ""
    complete: bool = False


def read_reply(reply: Reply, *, tool_name: str = "run_python") -> Extracted | Refused:
    """The program of a reply, or why there is none: no_code, reply_truncated, bad_reply or syntax_error."""
    finish = reply.finish_reason.strip().lower()
    if finish in _CUT:
        return _cut_off("at the token limit")
    if len(reply.text) > MAX_REPLY_CHARS:
        return Refused(reason=StopReason.BAD_REPLY, message=(
            f"Your reply has {len(reply.text):,} characters, so nothing of it was read. {_FORMAT}"))
    try:
        return _read(reply, finish, tool_name)
    except TooManyBlocks:
        return Refused(reason=StopReason.BAD_REPLY, message=(
            f"Your reply has more than {MAX_BLOCKS} code blocks or {MOST_QUOTED} quoted lines, so nothing of it was run. "
            f"{_FORMAT}"))


def _read(reply: Reply, finish: str, tool_name: str) -> Extracted | Refused:
    text = reply.text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    text, unfinished = without_thinking(_INVISIBLE_BEFORE_FENCE.sub("", text))
    if finish in _FILTERED and not unfinished:
        return Refused(reason=StopReason.BAD_REPLY, prose=_prose(text, []), message=(
            f"The model's server ended the reply early ({finish}), so nothing of it was run. Reply again, with the "
            "program alone."))
    if reply.tool_calls:
        return _from_calls([(call.name, call.arguments) for call in reply.tool_calls], text, tool_name)
    open_end = finish in ("", "unknown")
    found = _from_text(text, tool_name, open_end=open_end)
    if isinstance(found, Refused) and found.reason is StopReason.NO_CODE:
        if cells := notebook_program(text):
            whole = Block("python", "", cells, 0, 0, True)
            return _finished([whole], "", text, ["the code cells of a notebook were joined"], _AGAIN)
        fence = re.fullmatch(r"\s*```(?:json|tool_calls?|function_call|tool)?[ \t]*\n(.*)\n```\s*", text, re.S)
        text = fence[1] if fence else reply.text if unfinished and reply.text.lstrip().startswith("<|") else text
        calls = [(name or tool_name, arguments, place) for name, arguments, place in calls_in_text(text)]
        if calls:
            outside = "".join(text[a:b] for a, b in zip([0, *(c[2][1] for c in calls)],
                                                        [*(c[2][0] for c in calls), len(text)], strict=True))
            return _from_calls([call[:2] for call in calls], outside, tool_name)
        if broken := broken_call(text):
            return _from_calls([(tool_name, broken)], "", tool_name)
        if (other := _rewrapped(text)) != text:
            again = _from_text(other, tool_name, open_end=open_end, marked=True)
            if isinstance(again, Extracted):
                return again
        if unfinished:
            return Refused(reason=StopReason.NO_CODE, prose=found.prose, message=(
                f"Your reply ended inside the thinking section, so it held no program. Think less, then reply. {_FORMAT}"))
    return found


_GLUED = re.compile(r"^([^`\n]*[^`\s])[ \t]*(```[ \t]*(?:python3?|py)[ \t]*)$", re.M | re.I)


def _rewrapped(text: str) -> str:
    """The reply with its wrapping put right: a fence that follows words on their line, an escaped reply, a single span."""
    text = unescaped(text)
    span = re.fullmatch(r"\s*`([^`\n]+)`\s*", text)
    return span[1] if span else _GLUED.sub(r"\1\n\2", text)


def _cut_off(where: str) -> Refused:
    return Refused(reason=StopReason.REPLY_TRUNCATED, message=(
        f"Your reply was cut off {where}, so nothing of it was run. Send a shorter program, complete from its first "
        "line to its last: leave out long comments and data, and read data from the input files."))


def _from_calls(calls: list[tuple[str, str]], text: str, tool_name: str) -> Extracted | Refused:
    prose = _prose(text, blocks(text))
    form = f'Call {tool_name} once, with arguments that are one JSON object: {{"code": "print(1)"}}. ' \
           'In the JSON string a line break is \\n, a quote is \\" and a backslash is \\\\.'

    def refused(why: str) -> Refused:
        return Refused(reason=StopReason.BAD_REPLY, message=f"{why} Nothing was run. {form}", prose=prose)

    if wrong := next((name for name, _ in calls if name != tool_name), None):
        return refused(f"There is no tool named {wrong[:60]!r}; the only one is {tool_name}.")
    if len(calls) > MAX_BLOCKS:
        return refused(f"Your reply holds {len(calls)} calls of {tool_name}.")
    programs = []
    for _, arguments in calls:
        try:
            code = program_of(arguments).replace("\r\n", "\n").replace("\r", "\n")
        except NotAProgram as fault:
            return refused(f"The arguments of your call of {tool_name} cannot be used: {fault}.")
        inner = [block for block in blocks(code) if block.kind == "python"] if code.lstrip().startswith("```") else []
        programs.append(Block("python", "", inner[0].code if len(inner) == 1 else code, 0, 0, True))
    return _finished(programs, prose, text, [], f"Call {tool_name} again with the whole corrected program.")


def _from_text(text: str, tool_name: str, *, open_end: bool, marked: bool = False) -> Extracted | Refused:
    """`marked`: no program is looked for between sentences."""
    found = blocks(text)
    notes: list[str] = []
    chosen = chosen_blocks(text, found, notes)
    if not chosen and len(found) == 1 and found[0].tag in ("markdown", "md") and not found[0].quoted:
        return _from_text(found[0].code, tool_name, open_end=open_end)  # the whole reply in one more fence
    if not chosen:
        called = program_of_call(text.strip(), tool_name)
        whole = Block("python", "", called, 0, text.count("\n") + 1, True)
        chosen = [whole] if called != text.strip() else sections(text)
        found = [*found, *chosen]
    if not chosen and not found and not _CANNOT.search(text) and (chosen := unmarked_program(text, pieces_only=marked)):
        found = chosen
        if chosen[0].code.strip() != text.strip():
            notes.append("no code was marked: the lines that are Python were taken as the program")
    prose = _prose(text, found)
    if not chosen:
        return _no_program(text, found, prose)
    chosen = [block._replace(code=program_of_call(block.code, tool_name)) for block in chosen]
    last = chosen[-1]
    if open_end and not last.closed and last.end >= found[-1].end:
        return _cut_off("before its end (the code block is still open)" if last.tag != "unfenced" else
                        "or not (nothing says where its program ends)")
    if not last.closed and last.tag != "unfenced":
        fault = problem(mend(last.code)[0])
        if fault is not None and open_at_end(last.code, fault):
            return _cut_off("in the middle of the code block")
        notes.append("the code block was not closed")
    return _finished(chosen, prose, text, notes, _AGAIN)


def _no_program(text: str, found: list[Block], prose: str) -> Refused:
    readable = "\n".join([prose, *(b.code for b in found if b.kind in ("untagged", "other") and not b.quoted)])
    cannot = _CANNOT.search(readable)
    shell = next((block for block in found if block.kind == "shell"), None)
    if shell:
        why = (f"Your reply held a {shell.tag} block and no Python. There is no shell, and nothing can be installed: "
               "do the work in Python with the libraries that are there.")
    elif any(block.tag in ("diff", "patch") for block in found):
        why = "Your reply held a diff and no program: send the whole program as it is to run, not its changes."
    elif any(block.quoted for block in found):
        why = "Your reply held code only inside a quotation, which is not run."
    elif found:
        why = "Your reply held a block that is no Python program, and nothing was run."
    else:
        why = "Your reply held no program, and an answer in words is not taken: it must be computed."
    return Refused(reason=StopReason.NO_CODE, message=f"{why} {_FORMAT}", prose=prose,
                   cannot_answer=(cannot[1].strip()[:2000] or "no reason given") if cannot else None,
                   complete=bool(_COMPLETE.search(text)))


def _prose(text: str, found: list[Block]) -> str:
    inside = {line for block in found for line in range(block.start, block.end)}
    kept = [line for number, line in enumerate(text.split("\n")) if number not in inside]
    kept = [line for line in kept if not re.fullmatch(r"\s*(</?(code|python|end_code)>?|Code:|Thoughts?:)\s*", line)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()


def _joined(programs: list[Block]) -> str:
    """The blocks as one program, in order. A block whose statements a later one repeats is not run twice."""
    codes = [block.code for block in programs]
    if len(codes) == 1:
        return codes[0]
    trees = [statements(code) for code in codes]

    def repeated(index: int) -> bool:
        mine = trees[index]
        for other in trees[index + 1:]:
            rest = iter(other or [])
            if mine and len(mine) > 1 and all(statement in rest for statement in mine):
                return True
        return False

    codes = [code for index, code in enumerate(codes) if not repeated(index)]
    if len(codes) == 1:
        return codes[0]
    plain = "\n".join(code.strip("\n") + "\n" for code in codes)
    future = re.compile(r"^from __future__ import .*\n", re.M)
    hoisted = "".join(dict.fromkeys(future.findall(plain))) + future.sub("", plain)
    mended = "\n".join(mend(code)[0].strip("\n") + "\n" for code in codes)
    return next((program for program in (plain, hoisted, mended) if parses(program)), plain)


def _finished(programs: list[Block], prose: str, text: str, notes: list[str], again: str) -> Extracted | Refused:
    program, mended = mend(_joined(programs))
    complete = bool(_COMPLETE.search(prose) or any(_COMPLETE.match(comment) for comment in comments(program)))
    if not program.strip():
        return Refused(reason=StopReason.NO_CODE, message=f"The code block is empty. {_FORMAT}", prose=prose)
    if len(program) > MAX_PROGRAM_CHARS:
        return Refused(reason=StopReason.BAD_REPLY, prose=prose, message=(
            f"The program has {len(program):,} characters; at most {MAX_PROGRAM_CHARS:,} are taken. Nothing was run. "
            "Read data from the input files instead of writing it into the program."))
    fault = problem(program)
    if fault is not None:
        several = f" ({len(programs)} code blocks were joined to one program.)" if len(programs) > 1 else ""
        return Refused(reason=StopReason.SYNTAX_ERROR, prose=prose, complete=complete,
                       message=f"{describe(program, fault)}{several}\n{again}")
    return Extracted(program=program, prose=prose, blocks=len(programs), complete=complete, notes=[*notes, *mended])
