"""From a planner's reply to a plan: read in any wrapping, narrowed to what the task and its manifest give."""

import json
import re
from collections.abc import Iterator
from typing import Any

from ..policies.profile import Policy
from ..policies.verdict import Needs
from .fences import TooManyBlocks
from .plan_schema import KINDS, modules_of
from .prompts import filled
from .schema import SchemaInvalid, check_schema
from .state import Message, Plan
from .task import Task
from .terminal import clipped
from .thinking import without_thinking

_LARGEST = 200_000
_MOST_OBJECTS = 200
_MOST_STEPS = 50
_LONGEST_WORD = 60
_MOST_NAMES = 200
_LONGEST_NAME = 200
_ENDING = re.compile(r"\.[A-Za-z]\w{0,7}\Z")
"""Of a file name; words with spaces and without it are a description."""
_LONGEST = 2000
_KEPT_OF_NO_PLAN = 800
_MARKS = frozenset({"steps", "needs_code", "refusal", "answer", "imports", "kind", "inputs", "outputs"})
"""Fields that make an object in a reply a plan; any one is enough."""


CUT = "the reply was cut off at its limit of length; keep every text to a few words and every list short"
"""What is wrong with a reply that the server ended, whatever it holds: what a cut plan would have declared is unknown."""


def read_plan(text: str) -> Plan | str:
    """The plan in a reply, or what is wrong with the reply, in words for the model.

    Fences, thinking, words around the object, braces in prose and unknown fields do no harm. Fields of a wrong type
    are left out; needs that cannot be read are not declared, which a policy then holds to its own ceiling.
    """
    if len(text) > _LARGEST:
        return f"the reply has {len(text)} characters; a plan needs a few hundred"
    try:
        spoken, _ = without_thinking(text)
    except TooManyBlocks:
        return "the reply holds more code blocks than any plan needs"
    if not spoken.strip():
        return "the reply is empty" if not text.strip() else "the reply holds only thinking, no JSON object"
    objects = [found for found in _objects(spoken) if _MARKS & found.keys()]
    if not objects:
        return "the reply holds no JSON object with the plan's fields (steps, needs_code, imports, …)"
    chosen = max(objects, key=lambda found: len(_MARKS & found.keys()))
    return _plan_of(chosen)


def repair_message(reply: str, problem: str) -> list[Message]:
    """The turns that ask for the plan once more: what was said, cut, and what is wrong with it."""
    return [Message(role="assistant", content=clipped(reply, _KEPT_OF_NO_PLAN) or "(no text)"),
            Message(role="user", content=filled("repair_plan", problem=problem))]


def replan_message(plan: Plan, happened: str) -> Message:
    """The turn that asks for another plan. `happened`: the feedback to the last program, as the model heard it."""
    steps = "\n".join(f"{number}. {step}" for number, step in enumerate(plan.steps, 1)) or "(none)"
    named = {name: ", ".join(values) if values else "none" if values == [] else "(not said)"
             for name, values in (("imports", plan.needs.imports), ("inputs", plan.needs.inputs))}
    return Message(role="user", content=filled("replan", steps=steps, happened=happened, **named))


def default_plan(task: Task, problem: str = "") -> Plan:
    """A plan that asks for nothing beyond the manifest: its inputs, its outputs, its tools."""
    warning = "the model gave no usable plan" + (f" ({problem})" if problem else "") + "; the default plan serves"
    return Plan(steps=["Look at the inputs.", "Compute what the goal asks for.", "Check it and deliver."],
                needs=Needs(inputs=[item.name for item in task.inputs], outputs=[spec.pattern for spec in task.outputs]
                            or None, tools=list(task.tools)),
                kind="chart" if any((spec.media_type or "").startswith("image/") for spec in task.outputs) else "table",
                source="default", warning=warning if problem else "")


def fitted(plan: Plan, task: Task, policy: Policy) -> Plan:
    """The plan held to the task: inputs that exist, tools that were given, limits not above the task's.

    A list of imports in which nothing can be imported declares nothing.
    The caller's shape wins over the plan's. Declared outputs stand whatever the plan says of them. An answer in words
    alone serves only where there is nothing to compute it from and no number in it, and where the plan names nothing that a
    program would need. A refusal that only repeats the goal or a step is none.
    """
    needs, notes = plan.needs, [plan.warning] if plan.warning else []
    names = [item.name for item in task.inputs]
    inputs = needs.inputs
    if inputs is not None:
        kept = [name for wanted in inputs for name in _inputs_named(wanted, names)]
        unknown = sorted({wanted for wanted in inputs if not _inputs_named(wanted, names)})
        if unknown:
            notes.append(f"the plan names inputs that do not exist: {', '.join(unknown[:5])}")
        inputs = names if unknown or (not kept and names) else list(dict.fromkeys(kept))
    imports = needs.imports
    if imports:
        imports = [name for name in imports if name.partition(".")[0] in modules_of(policy)] or None
        if imports is None:
            notes.append("the plan names no module that can be imported, so it is not held to its list")
    tools = None if needs.tools is None else [name for name in needs.tools if name in task.tools]
    outputs = needs.outputs
    if outputs is not None:
        declared = [spec.pattern for spec in task.outputs]
        outputs = list(dict.fromkeys([*declared, *(name for name in outputs if name not in names)]))
    needs_code = plan.needs_code
    refusal = "" if _repeats(plan.refusal, [task.goal, *plan.steps]) else plan.refusal
    guessed = any(letter.isdigit() for letter in plan.answer) or bool(needs.imports or needs.inputs or needs.outputs)
    if not needs_code and not refusal and (task.inputs or task.outputs or task.result is not None or guessed):
        needs_code = True
        notes.append("the plan wanted to answer without a program; numbers, files and shapes are computed, not guessed")
    return plan.model_copy(update={
        "needs_code": needs_code,
        "refusal": refusal,
        "needs": needs.model_copy(update={"imports": imports, "inputs": inputs, "tools": tools,
                                           "outputs": outputs}),
        "result": None if task.result is not None else plan.result,
        "memory_mb": None if plan.memory_mb is None else min(plan.memory_mb, task.limits.memory_mb),
        "wall_s": None if plan.wall_s is None else min(plan.wall_s, task.limits.wall_s),
        "warning": "; ".join(notes),
    })


def _repeats(text: str, others: list[str]) -> bool:
    """Whether the words of the text, without numbers and signs, stand in one of the others in their order."""
    words = _words(text)
    return any(f" {words} " in f" {_words(other)} " for other in others)


def _words(text: str) -> str:
    return " ".join(re.findall(r"[^\W\d_]+", text.lower()))


def _inputs_named(wanted: str, names: list[str]) -> list[str]:
    """The inputs a planner means by a name: itself, written with `./`, or all below a folder."""
    plain = wanted.strip().removeprefix("./").removeprefix("/workspace/").rstrip("/")
    return [name for name in names if name == plain or name.startswith(f"{plain}/")]


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """JSON objects that begin at some brace of the text, whole ones first; a slightly broken one last."""
    decoder = json.JSONDecoder(strict=False)
    place, tried, broken = text.find("{"), 0, []
    while place != -1 and tried < _MOST_OBJECTS:
        tried += 1
        end = place + 1
        try:
            value, end = decoder.raw_decode(text, place)
            if isinstance(value, dict):
                yield from [value] if _MARKS & value.keys() else _inner(value)
        except json.JSONDecodeError:
            broken.append(place)
        except (RecursionError, ValueError):  # too deep, or a number of too many digits
            return
        place = text.find("{", end)
    for place in broken[:5]:
        value = _mended(text[place:])
        if isinstance(value, dict):
            yield value
            return


def _inner(value: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Objects one level down: models like to wrap a plan in `{"plan": …}`."""
    yield from (item for item in value.values() if isinstance(item, dict))


def _mended(text: str) -> Any:
    """An object as models break them: comments, trailing commas, Python's words and quotes, words after it.

    A missing end is not made up: what a cut plan would have declared is unknown, so it is asked for again.
    """
    mended = re.sub(r"(?:^|(?<=\s))(?://|#)[^\"\n]*$", "", text[:text.rfind("}") + 1], flags=re.MULTILINE)
    mended = re.sub(r",(\s*[}\]])", r"\1", mended)
    for source in (mended, _python_words(mended)):
        try:
            value = json.loads(source, strict=False)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and value:
            return value
    return None


def _python_words(text: str) -> str:
    text = re.sub(r"(?<=[:\[,\s])(True|False|None)(?=\s*[,}\]])",
                  lambda found: {"True": "true", "False": "false", "None": "null"}[found[1]], text)
    return re.sub(r"(?<=[{\[,:\s])'([^'\"\n]*)'(?=\s*[:,}\]])", r'"\1"', text)


def _plan_of(found: dict[str, Any]) -> Plan | str:
    needs_given = found.get("needs")
    inner: dict[str, Any] = needs_given if isinstance(needs_given, dict) else {}
    needs = Needs(**{name: _texts(found.get(name, inner.get(name)), _MOST_NAMES)
                     for name in ("imports", "inputs", "outputs", "tools")})
    needs = needs.model_copy(update={"outputs": _outputs(needs.outputs)})
    steps = _sensible(_texts(found.get("steps"), _MOST_STEPS) or [])
    answer, refusal = _text(found.get("answer")), _reason(found.get("refusal"))
    needs_code = found.get("needs_code")
    needs_code = needs_code if isinstance(needs_code, bool) else str(needs_code).strip().lower() not in ("false", "no")
    # Steps and nothing to say: the work is to be done, whatever the flag says.
    needs_code = needs_code or bool(steps and not answer and not refusal)
    if not needs_code and not answer and not refusal:
        return "needs_code is false, but `answer` is empty; give the answer in words, or set needs_code to true"
    if needs_code and not steps and not refusal and needs.imports is None and needs.inputs is None:
        return "the plan has no steps"
    kind = found.get("kind")
    return Plan(steps=steps, needs_code=needs_code, needs=needs, kind=kind if kind in KINDS else "table",
                result=_schema(found.get("result_schema", found.get("result"))),
                memory_mb=_number(found.get("memory_mb"), 16, 1_048_576, int),
                wall_s=_number(found.get("wall_s"), 0.1, 86_400, float),
                constants=_numbers(found.get("constants")), answer=answer, refusal=refusal, source="model")


def _sensible(steps: list[str]) -> list[str]:
    """Each step once, whatever number stands before it, and none that is one endless word: a weak model fills its form
    with either, and goes on from there when it reads its plan."""
    kept: dict[str, str] = {}
    for step in steps:
        if max(map(len, step.split()), default=0) <= _LONGEST_WORD:
            kept.setdefault(_words(step) or step, step)
    return list(kept.values())


def _text(value: Any) -> str:
    text = value.strip() if isinstance(value, str) else ""
    return "" if text.lower() in ("none", "null", "n/a") else text[:_LONGEST]


def _reason(value: Any) -> str:
    """A refusal names what is missing; a word or two (`false`, `no refusal`) is a weak model filling in the form."""
    text = _text(value)
    return text if len(re.findall(r"[^\W\d_]{2,}", text)) > 2 else ""


def _texts(value: Any, most: int) -> list[str] | None:
    if isinstance(value, str) and value.strip():
        value = [value]
    if not isinstance(value, list):
        return None
    named = [item if isinstance(item, str) else _first_text(item) for item in value[:most]]
    return list(dict.fromkeys(item.strip()[:_LONGEST] for item in named if item and item.strip()))


def _first_text(item: Any) -> str:
    """Models like to make a step an object: its first text is what it says."""
    if isinstance(item, dict):
        return next((value for value in item.values() if isinstance(value, str)), "")
    return ""


def _outputs(names: list[str] | None) -> list[str] | None:
    """Plain relative names; what is no workspace path is not declared, so that it cannot be asked for either."""
    if names is None:
        return None
    plain = [name.removeprefix("./").removeprefix("/workspace/") for name in names]
    return [name for name in plain if name and not name.startswith(("/", "~")) and ".." not in name.split("/")
            and name.isprintable() and len(name) <= _LONGEST_NAME and (" " not in name or _ENDING.search(name))]


def _number(value: Any, low: float, high: float, kind: type) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        return None
    return kind(value)


def _numbers(value: Any) -> list[float]:
    if not isinstance(value, list):
        return []
    return [float(item) for item in value[:100]
            if isinstance(item, int | float) and not isinstance(item, bool) and abs(item) < 1e300]


def _schema(value: Any) -> dict[str, Any] | None:
    """The shape a planner gives, as an object or as text that holds one; null where it is no JSON Schema."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    if not isinstance(value, dict) or not value:
        return None
    schema: dict[str, Any] = _without_patterns(value)
    try:
        check_schema(schema, patterns=False)
    except (SchemaInvalid, RecursionError):
        return None
    return schema


_NAMED = {"properties", "$defs", "definitions", "dependentSchemas"}
_DATA = {"const", "enum", "default", "examples"}


def _without_patterns(schema: Any) -> Any:
    """The schema without regular expressions: a model's pattern can take for ever, and the rest of its shape can serve."""
    if isinstance(schema, list):
        return [_without_patterns(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: value for key, value in schema.items() if key not in ("pattern", "patternProperties")}
    return {key: value if key in _DATA else {name: _without_patterns(item) for name, item in value.items()}
            if key in _NAMED and isinstance(value, dict) else _without_patterns(value) for key, value in kept.items()}
