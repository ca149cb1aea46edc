"""The shape in which a plan is asked for."""

from typing import Any

from ..policies.profile import Policy
from .task import Task

KINDS = ("scalar", "table", "file_conversion", "chart", "simulation", "fitting")

def _texts_of(most: int) -> dict[str, Any]:
    return {"type": "array", "maxItems": most, "items": {"type": "string"}}


PLAN_SCHEMA: dict[str, Any] = {
    "title": "plan",
    "description": "What the program of this task will need.",
    "type": "object",
    "additionalProperties": False,
    "required": ["steps", "needs_code", "kind", "imports", "inputs", "outputs", "tools", "result_schema", "memory_mb",
                 "wall_s", "constants", "answer", "refusal"],
    "properties": {
        "steps": _texts_of(6),
        "needs_code": {"type": "boolean"},
        "kind": {"type": "string", "enum": list(KINDS)},
        "imports": _texts_of(12), "inputs": _texts_of(20), "outputs": _texts_of(8), "tools": _texts_of(8),
        "result_schema": {"type": ["string", "null"]},
        "memory_mb": {"type": ["integer", "null"]},
        "wall_s": {"type": ["number", "null"]},
        "constants": {"type": "array", "maxItems": 8, "items": {"type": "number"}},
        "answer": {"type": "string"},
        "refusal": {"type": "string"},
    },
}
"""Within what strict structured output accepts: every field required, none free-form. `read_plan` takes much less."""

_MOST_CHOICES = 100


def plan_schema(task: Task, policy: Policy) -> dict[str, Any]:
    """The shape of this task's plan. A server that holds its model to it lets a plan name only what there is."""
    there = {"imports": sorted(modules_of(policy)),
             "inputs": [item.name for item in task.inputs], "tools": list(task.tools)}
    properties = dict(PLAN_SCHEMA["properties"])
    for name, choices in there.items():
        if not choices:
            properties[name] = _texts_of(0)
        elif len(choices) <= _MOST_CHOICES:
            most = min(properties[name]["maxItems"], len(choices))
            properties[name] = {"type": "array", "maxItems": most, "items": {"type": "string", "enum": choices}}
    return {**PLAN_SCHEMA, "properties": properties}


def modules_of(policy: Policy) -> set[str]:
    """Top-level modules of which a program may import something."""
    return {entry.partition(".")[0] for entry in [*policy.imports, *policy.partial_imports]}
