"""The messages that open each conversation with a model, filled in from the prompt files.

The rules come from the files and from the policy; what callers and input files say stands in sections of its own, and
file content between data marks that it cannot forge.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from ..policies.profile import Policy
from ..sandbox.limits import Limits
from .state import Message, Plan
from .task import Task

_FIELD = re.compile(r"\{\{(\w+)\}\}")
_LONGEST_SCHEMA = 20_000
_LONGEST_GOAL_TWICE = 600
_KEEPS = {
    "files": "- The workspace stays between your programs; variables do not. Save what the next one needs to a file.",
    "process": "- The workspace and the variables stay between your programs, as in a notebook.",
    "fresh": "- Each program starts in a fresh workspace that holds the inputs alone.",
}


@cache
def _files() -> dict[str, str]:
    folder = resources.files("fumehood.nodes.prompts")
    return {item.name: item.read_text("utf-8") for item in sorted(folder.iterdir(), key=lambda item: item.name)
            if item.name.endswith(".md")}


@cache
def prompts_sha256() -> str:
    """Digest of all prompt files: which version of the prompts a run was made with."""
    text = json.dumps(_files(), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def filled(name: str, **values: str) -> str:
    """The prompt file with its fields replaced, in one pass: a value that holds `{{…}}` stays as it is."""
    return _FIELD.sub(lambda found: values[found[1]], _files()[f"{name}.md"]).strip()


def as_data(text: str, what: str) -> str:
    """The text between marks that say it is data. The marks carry its digest, so that the text cannot close them."""
    mark = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"<data {mark} {what}>\n{text}\n</data {mark}>"


def plan_messages(task: Task, preview: str, policy: Policy, limits: Limits | None = None, *,
                  libraries: Mapping[str, str] | None = None, tools: Mapping[str, str] | None = None) -> list[Message]:
    """What the planner is asked. `preview` as `render_preview` gives it; `limits` defaults to the task's."""
    ground = _ground(task, policy, limits or task.limits, None, libraries or {}, tools or {})
    fixed = [_shape(task.result)] if task.result is not None else ["- The shape of the result is yours to plan."]
    fixed += _outputs(task)
    return [Message(role="system", content=filled("plan", ground=ground)),
            Message(role="user", content=filled("plan_task", goal=task.goal, fixed="\n".join(fixed),
                                                instructions=_instructions(task), preview=_inputs(task, preview)))]


def program_messages(task: Task, plan: Plan, preview: str, policy: Policy, limits: Limits, *,
                     libraries: Mapping[str, str] | None = None,
                     tools: Mapping[str, str] | None = None) -> list[Message]:
    """The opening of the conversation in which programs are written.

    `libraries`: package → version of the sandbox. `tools`: name → signature and a line of help.
    """
    ground = _ground(task, policy, limits, plan, libraries or {}, tools or {})
    shape = task.result if task.result is not None else plan.result
    wanted = [_shape(shape)] if shape is not None else []
    wanted += _outputs(task) or [f"- A file `{name}`." for name in plan.needs.outputs or []]
    if task.strict:
        wanted.append("- Print nothing but the result.")
    if not wanted:
        wanted = ["- One JSON value that answers the goal, with `final_answer`."]
    return [Message(role="system", content=filled("generate", ground=ground, keeps=_KEEPS[task.state])),
            Message(role="user", content=filled("generate_task", goal=task.goal, wanted="\n".join(wanted),
                                                plan=_steps(plan), instructions=_instructions(task),
                                                preview=_inputs(task, preview), now=_now(task.goal),
                                                form=_form(task, plan)))]


def _now(goal: str) -> str:
    """The goal once more at the end of the prompt: a small model has lost it by there."""
    return goal.strip() if len(goal) <= _LONGEST_GOAL_TWICE else "the one above."


def _form(task: Task, plan: Plan) -> str:
    files = [spec.pattern for spec in task.outputs]
    valued = task.result is not None or plan.result is not None or not files
    written = [f"# ... write {name if '/' in name else f'output/{name}'}" for name in files[:3]]
    return "\n".join([*written, *(["value = ...  # compute it", "final_answer(value)"] if valued else ["# TASK_COMPLETE"])])


def explain_messages(task: Task, program: str, result: str) -> list[Message]:
    """What is asked for an explanation. `result`: the result and the output, already within a budget."""
    return [Message(role="system", content=filled("explain")),
            Message(role="user", content=filled("explain_task", goal=task.goal, program=program,
                                                result=as_data(result, "result")))]


def _ground(task: Task, policy: Policy, limits: Limits, plan: Plan | None, libraries: Mapping[str, str],
            tools: Mapping[str, str]) -> str:
    held = None if plan is None else plan.needs.imports
    lines = [f"- Modules allowed by the policy `{policy.name}`: {', '.join(_imports(policy))}."]
    if libraries:
        installed = ", ".join(f"{name} {version}" for name, version in sorted(libraries.items()))
        lines.append(f"- Installed: {installed}.")
    if held is not None:
        lines.append("- This plan names these modules, and a program may import no others: "
                     + (", ".join(held) or "none") + ".")
    lines += _parts(policy, held) if plan is not None else []
    lines.append(f"- Limits of one program: {limits.wall_s:g} s by the clock, {limits.cpu_s:g} s of processor time, "
                 f"{limits.memory_mb} MB of memory, {limits.workspace_mb} MB of files, "
                 f"{limits.output_kb} kB of output, {limits.processes} processes and threads. More ends the program.")
    lines.append(f"- At most {task.max_steps} programs that run to their end, {task.max_attempts} attempts for each.")
    if task.tools:
        shown = [f"`tools.{tools.get(name, f'{name}(...)')}`" for name in task.tools]
        lines.append(f"- Host functions the program may call: {'; '.join(shown)}.")
    lines.append(f"- Time zone {task.timezone}. Text files are UTF-8 unless the preview says otherwise.")
    return "\n".join(lines)


def _imports(policy: Policy) -> list[str]:
    names = [f"`{entry.removesuffix('.*')}`" for entry in policy.imports if "." not in entry.removesuffix(".*")]
    return [*names, *(f"`{name}` (in part)" for name in sorted(policy.partial_imports))]


def _parts(policy: Policy, held: list[str] | None) -> list[str]:
    """Modules of which only some names may be used: those the plan names, where it names any."""
    shown = [f"`{module}` ({', '.join(names)})" for module, names in sorted(policy.partial_imports.items())
             if held is None or module in {name.partition(".")[0] for name in held}]
    return [f"- In part means these names and no others, always written `module.name`: {'; '.join(shown)}."] if shown else []


def _shape(schema: dict[str, Any]) -> str:
    text = json.dumps(schema, ensure_ascii=False)
    if len(text) > _LONGEST_SCHEMA:
        text = text[:_LONGEST_SCHEMA] + " … (cut)"
    return f"- The result must fit this JSON Schema: `{text}`"


def _outputs(task: Task) -> list[str]:
    lines = []
    for spec in task.outputs:
        name = spec.pattern if "/" in spec.pattern else f"output/{spec.pattern}"
        kind = f", of type {spec.media_type}" if spec.media_type else ""
        lines.append(f"- A file `{name}`{kind}, written by the program that delivers or by one before it.")
    return lines


def _steps(plan: Plan) -> str:
    if not plan.steps:
        return ""
    steps = "\n".join(f"{number}. {step}" for number, step in enumerate(plan.steps, 1))
    return f"# Plan\n\nA forecast; leave it where the data says otherwise.\n\n{steps}\n\n"


def _inputs(task: Task, preview: str) -> str:
    if preview:
        return preview
    if task.inputs:
        return (f"{len(task.inputs)} files, of which nothing may be shown here. "
                "A program finds them in its working folder.")
    return "There are none."


def _instructions(task: Task) -> str:
    return filled("instructions", text=task.instructions) + "\n\n" if task.instructions.strip() else ""
