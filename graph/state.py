"""What changes while a run goes on: a frozen dataclass of plain data, safe to write down after every node."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypedDict

from pydantic import BaseModel, ConfigDict

from ..policies.verdict import Approved, Decision, Finding, Needs, Verdict
from ..sandbox.evidence import Artifact, Evidence
from ..sandbox.execution import Execution
from .plain import Count, JsonObject, PlainText
from .stop import StopReason
from .task import Limits, Task


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Message(_Data):
    """One turn of the conversation with the model that writes programs."""

    role: Literal["system", "user", "assistant"]
    content: PlainText


class Plan(_Data):
    """What the planner decided. A forecast for the model, a ceiling for the gate."""

    steps: list[str] = []
    needs_code: bool = True
    needs: Needs = Needs()
    kind: str = "table"
    """Kind of computation: scalar, table, file_conversion, chart, simulation, fitting."""
    result: JsonObject | None = None
    """JSON Schema of the result, where the caller gave none."""
    memory_mb: int | None = None
    wall_s: float | None = None
    constants: list[float] = []
    """Numbers from the goal that an explanation may use."""
    answer: PlainText = ""
    """The answer in words when no code is needed."""
    refusal: PlainText = ""
    """Why the question cannot or should not be answered; ends the run with `cannot_answer`."""
    source: Literal["model", "default", "given"] = "default"
    warning: str = ""


class Usage(_Data):
    """What the model calls of a run cost, by the servers' own counts."""

    calls: Count = 0
    input_tokens: Count = 0
    output_tokens: Count = 0
    cost: float | None = None
    """In the unit of the operator's prices; null where the price of a call is not known."""

    def plus(self, other: "Usage") -> "Usage":
        unknown = any(usage.calls and usage.cost is None for usage in (self, other))
        cost = None if unknown or (self.cost is None and other.cost is None) else (self.cost or 0.0) + (other.cost or 0.0)
        return Usage(calls=self.calls + other.calls, input_tokens=self.input_tokens + other.input_tokens,
                     output_tokens=self.output_tokens + other.output_tokens, cost=cost)


class Attempt(_Data):
    """One generated (or given) program and what became of it."""

    step: int
    number: int
    """1-based over the whole run."""
    program: str = ""
    """Path in the run's folder; empty when the reply held no program."""
    program_sha256: str = ""
    tree_sha256: str = ""
    """Digest of the syntax tree, so that a program differing in comments only counts as the same."""
    origin: Literal["model", "given", "fallback", "edited"] = "model"
    verdict: Decision | None = None
    findings: list[Finding] = []
    reason: StopReason | None = None
    """Why it failed; null for the attempt that answered."""
    detail: PlainText = ""
    """The failure in one paragraph, as a person reads it."""
    prose: PlainText = ""
    """What the model wrote around the program, at most 4,000 characters."""
    complete: bool = False
    """The model marked this program as the last one."""
    notes: list[PlainText] = []
    """What of the reply was mended or left alone: a shell block, odd spaces, an unclosed fence."""
    execution: Execution | None = None
    evidence: Evidence | None = None


class EngineSkipped(_Data):
    engine: str
    why: str


class Check(_Data):
    name: str
    held: bool
    detail: str = ""


class Prepared(_Data):
    """The engine and the effective limits for the approved program."""

    engine: str
    limits: Limits


class Delivered(_Data):
    """A valid delivery: what `finish` turns into the answer."""

    result_json: str | None = None
    """The result as JSON text (a checkpoint cannot hold every JSON number); null when nothing was delivered as JSON."""
    artifacts: list[Artifact] = []
    checks: list[Check] = []
    notes: list[str] = []
    text: str = ""
    """Output shown where there is no JSON result."""


class Stop(_Data):
    """A controlled stop on its way to `finish`."""

    reason: StopReason
    message: PlainText
    last_resort: Literal["fallback", "escalated"] | None = None
    """What is left to try: the operator's program, or a person's hint."""


class Outcome(_Data):
    """The end of a run, as the command line prints it with `--json`."""

    run_id: str
    status: Literal["answered", "stopped", "waiting", "interrupted", "running"]
    """`running` only where another process works on the run while it is looked at."""
    stop_reason: StopReason | None = None
    message: PlainText = ""
    result_json: str | None = None
    shape_from: Literal["caller", "plan"] | None = None
    explanation: PlainText = ""
    plan: Plan | None = None
    artifacts: list[Artifact] = []
    checks: list[Check] = []
    attempts: list[Attempt] = []
    evidence: Evidence | None = None
    engines_skipped: list[EngineSkipped] = []
    usage: Usage = Usage()
    receipt: str | None = None
    notes: list[str] = []
    """What did not fail the run but should be known: stray output, a default plan, a recording."""
    folder: str = ""
    """The run's folder on the host."""
    kept: dict[str, str] = {}
    """Name in the workspace to the file on the host that holds its bytes, inputs included."""

    @property
    def result(self) -> Any:
        """The answer as Python data; None also where the answer is JSON null or there is none."""
        return None if self.result_json is None else json.loads(self.result_json)

    def document(self) -> dict[str, Any]:
        """The outcome as the one JSON document that callers get."""
        document = self.model_dump(mode="json", exclude={"result_json", "kept"})
        return {**document, "result": self.result}

    def workspace(self) -> dict[str, Path]:
        """The workspace as the last program left it: name in it to the host's copy. Inputs lie where the caller has them."""
        return {name: Path(self.folder) / path for name, path in self.kept.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The state of one run. Collected fields are lists, since a resume turns tuples into lists."""

    task: Task
    run_id: str = ""
    """Set by the first node when the caller gave none."""
    entered: str = ""
    """Digest of the task that all of this belongs to; another task on the same thread begins a run of its own."""
    plan: Plan | None = None
    replanning: bool = False
    """The run goes round in circles and gets a new plan before the next program."""
    planned: int = 0
    """Replies of the planner so far."""
    messages: list[Message] = field(default_factory=list)
    """The conversation with the model, observations included."""
    program: str | None = None
    """The candidate program's text."""
    origin: Literal["model", "given", "fallback", "edited"] = "model"
    verdict: Verdict | None = None
    approved: Approved | None = None
    prepared: Prepared | None = None
    skipped: list[EngineSkipped] = field(default_factory=list)
    """Engines that were tried and could not serve this run."""
    attempts: list[Attempt] = field(default_factory=list)
    step: int = 1
    files: list[Artifact] = field(default_factory=list)
    """The workspace as the last program left it, inputs excluded; copies lie in the run's folder."""
    made: list[str] = field(default_factory=list)
    """Paths among `files` that completed programs of this run wrote: only these count as outputs."""
    resort: Literal["fallback", "escalated"] | None = None
    """The last resort that was taken already."""
    forgiven: int = 0
    """Attempts up to this number are not counted any more, since a person gave a hint after them."""
    started: float = 0.0
    """Unix time of the run's first node."""
    waited_s: float = 0.0
    """Seconds spent waiting for a person."""
    asked: int = 0
    """Questions to a person that are settled."""
    stale: bool = False
    """What a person was shown has changed, so the program is judged and asked about again."""
    notes: list[str] = field(default_factory=list)
    delivered: Delivered | None = None
    usage: Usage = field(default_factory=Usage)
    stop: Stop | None = None
    outcome: Outcome | None = None


def kept_files(task: Task, files: Sequence[Artifact]) -> dict[str, str]:
    """What `Outcome.kept` holds for these files of a workspace."""
    return {**{item.name: str(item.open_path()) for item in task.inputs}, **{item.path: item.stored for item in files}}


class Update(TypedDict, total=False):
    """What a node may change. LangGraph drops unknown keys silently, so the type checker holds them here."""

    task: Task
    run_id: str
    entered: str
    plan: Plan | None
    replanning: bool
    planned: int
    messages: list[Message]
    program: str | None
    origin: Literal["model", "given", "fallback", "edited"]
    verdict: Verdict | None
    approved: Approved | None
    prepared: Prepared | None
    skipped: list[EngineSkipped]
    attempts: list[Attempt]
    step: int
    files: list[Artifact]
    made: list[str]
    resort: Literal["fallback", "escalated"] | None
    forgiven: int
    started: float
    waited_s: float
    asked: int
    stale: bool
    notes: list[str]
    delivered: Delivered | None
    usage: Usage
    stop: Stop | None
    outcome: Outcome | None
