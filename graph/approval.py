"""Questions to a person and their decisions. Approved is a digest: of program, policy, inputs, limits and engine.

Questions go out and answers come in as LangChain's HumanInTheLoopMiddleware has them (`action_requests` and
`review_configs`, `decisions`), so that chat pages which know that one know ours.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ..policies.verdict import Finding, Needs, Verdict, sha256_json, sha256_text
from ..sandbox.manifest import InputFile
from .errors import AnswerInvalid
from .plain import PlainText

ACTION = "run_program"
Kind = Literal["approve", "edit", "reject", "respond"]
KINDS: tuple[Kind, ...] = ("approve", "edit", "reject", "respond")


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    def as_json(self) -> str:
        """ASCII JSON: NUL and other control characters are escapes, which every database can hold."""
        return json.dumps(self.model_dump(mode="json"), sort_keys=True)


class Binding(_Data):
    """What a decision is bound to. Anything in here that changes voids it."""

    program_sha256: str
    policy_sha256: str
    inputs_sha256: str
    limits: dict[str, float]
    engine: str
    """The engines that would be tried, in their order."""

    @property
    def digest(self) -> str:
        return sha256_json(self.model_dump(mode="json"))

    def changes(self, other: "Binding") -> list[str]:
        """Names of the parts that differ."""
        return [name.removesuffix("_sha256") for name in type(self).model_fields
                if getattr(self, name) != getattr(other, name)]


class InputSeen(_Data):
    """An input as a person is shown it."""

    name: str
    bytes: int
    sha256: str
    sensitive: bool = False


class Question(_Data):
    """Everything that a person needs to decide whether one program may run."""

    question_id: str
    run_id: str
    number: int
    """Of the attempt, 1-based."""
    binding: Binding
    goal: PlainText
    program: PlainText
    reasons: list[PlainText] = []
    """Why a person is asked."""
    verdict: Verdict
    policy: PlainText = ""
    approvers: PlainText = ""
    """Who is expected to answer, as the policy has it; empty is whoever can open the store."""
    plan_needs: Needs = Needs()
    ceiling: dict[str, list[str]] = {}
    """What the policy allows at most, by kind of need."""
    limits_usual: dict[str, float] = {}
    """The levels above which a person must approve."""
    inputs: list[InputSeen] = []
    previous: PlainText | None = None
    """The last program that was approved in this run; the difference to it is shown."""
    allowed: list[Kind] = list(KINDS)
    expires_s: float | None = Field(default=None, gt=0)
    """Seconds from the first time it was asked."""
    stale: bool = False
    """Asked again because what was shown before has changed; the earlier decision does not count."""

    def payload(self) -> dict[str, Any]:
        """What goes out by `interrupt()`: the agreed shape, with the question's id, its digest and the run on top."""
        from .showing import describe_text

        return {
            "action_requests": [
                {"name": ACTION, "args": {"program": self.program}, "description": describe_text(self)}],
            "review_configs": [{"action_name": ACTION, "allowed_decisions": list(self.allowed)}],
            "question_id": self.question_id,
            "binding": self.binding.digest,
            "run_id": self.run_id,
        }


class Decision(_Data):
    """What a person said to one question."""

    type: Kind
    binding: str
    """Digest of what was shown."""
    program: PlainText | None = None
    """The edited program, for `edit`."""
    message: PlainText = ""
    """The reason of `reject`, the hint of `respond`."""
    always_identical: bool = False
    """For `approve`: the same digest needs no second asking in this run."""


def build_question(*, run_id: str, number: int, goal: str, program: str, verdict: Verdict, limits: Mapping[str, float],
                   engine: str, inputs: Sequence[InputFile] = (), reasons: Sequence[str] = (), policy: str = "",
                   approvers: str = "", plan_needs: Needs | None = None, ceiling: Mapping[str, Sequence[str]] | None = None,
                   limits_usual: Mapping[str, float] | None = None, previous: str | None = None,
                   allowed: Sequence[Kind] = KINDS, expires_s: float | None = None, asked_before: int = 0,
                   stale: bool = False) -> Question:
    """The question for one judged program. The same arguments give the same question and id, in any process.

    `asked_before`: how many questions of this run a person has decided already, so that what is asked again after a
    stale or expired one is a new question.
    """
    bound = Binding(program_sha256=verdict.program_sha256, policy_sha256=verdict.policy_sha256,
                    inputs_sha256=verdict.inputs_sha256, limits=dict(limits), engine=engine)
    return Question(
        question_id=sha256_json([run_id, number, bound.digest, asked_before])[:16], run_id=run_id, number=number,
        binding=bound, goal=goal, program=program, reasons=list(reasons), verdict=verdict, policy=policy,
        approvers=approvers, plan_needs=plan_needs or Needs(),
        ceiling={name: list(values) for name, values in (ceiling or {}).items()},
        limits_usual=dict(limits_usual or {}), previous=previous, allowed=list(allowed), expires_s=expires_s,
        stale=stale,
        inputs=[InputSeen(name=item.name, bytes=item.bytes, sha256=item.sha256, sensitive=item.sensitive)
                for item in inputs])


def inputs_sha256(inputs: Sequence[InputFile], *, reread: bool = False) -> str:
    """Digest of names and bytes of all inputs. `reread`: of the bytes that lie there now; a missing file counts too."""
    return sha256_json([[item.name, _now(item) if reread else item.sha256] for item in inputs])


def _now(item: InputFile) -> str:
    try:
        with item.open_path().open("rb") as handle:
            return hashlib.file_digest(handle, "sha256").hexdigest()
    except OSError as error:
        return f"unreadable: {type(error).__name__}"


def decision_from(question: Question, answer: object) -> Decision:
    """The decision in an answer as chat pages give it: `{"decisions": [{"type": …}]}`.

    Raises AnswerInvalid, which says what an answer looks like.
    """
    decisions = answer.get("decisions") if isinstance(answer, Mapping) else None
    if not isinstance(decisions, Sequence) or isinstance(decisions, str | bytes) or len(decisions) != 1:
        raise AnswerInvalid('an answer is {"decisions": [{"type": "approve" | "edit" | "reject" | "respond", …}]} with '
                            "one decision")
    given = decisions[0]
    if not isinstance(given, Mapping):
        raise AnswerInvalid('a decision is an object with a "type"')
    if given.get("type") not in question.allowed:
        raise AnswerInvalid(f"this question can be answered by {', '.join(question.allowed)}, "
                            f"not by {given.get('type')!r}")
    program = None
    if given["type"] == "edit":
        action = given.get("edited_action")
        args = action.get("args") if isinstance(action, Mapping) else None
        program = args.get("program") if isinstance(args, Mapping) else None
        if not isinstance(program, str) or not program.strip():
            raise AnswerInvalid(f'an edit is {{"type": "edit", "edited_action": {{"name": "{ACTION}", "args": '
                                '{"program": "…"}}}')
    try:
        return Decision(type=given["type"], program=program, message=given.get("message") or "",
                        always_identical=given.get("always_identical", False) and given["type"] == "approve",
                        binding=given.get("binding", question.binding.digest))
    except ValidationError as error:
        raise AnswerInvalid(f"the answer cannot be read: {error.errors()[0]['msg']} "
                            f"({'.'.join(map(str, error.errors()[0]['loc']))})") from error


@dataclass(frozen=True, slots=True)
class Approve:
    """The program may run, if its binding still holds where it is started."""


@dataclass(frozen=True, slots=True)
class Edit:
    """This program instead, after the gate has judged it."""

    program: str


@dataclass(frozen=True, slots=True)
class Reject:
    """The run ends with `approval_rejected`."""

    message: str


@dataclass(frozen=True, slots=True)
class Respond:
    """The model hears this and writes another program."""

    message: str


@dataclass(frozen=True, slots=True)
class Stale:
    """What was shown is not what would run: the decision is void."""

    changed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Expired:
    """Nobody decided in time."""


Settled = Approve | Edit | Reject | Respond | Stale | Expired


def settle(question: Question, decision: Decision | None, current: Binding) -> Settled:
    """What a decision means now. No decision means that the time to decide is over.

    Only an approval can be stale: an edit is judged anew, a refusal needs no binding.
    """
    if decision is None:
        return Expired()
    if decision.type == "reject":
        return Reject(decision.message or "a person refused it and gave no reason")
    if decision.type == "respond":
        return Respond(decision.message or "a person declined this program and gave no reason; write another one")
    if decision.binding != question.binding.digest:
        return Stale(("the answer names another digest than the question",))
    if decision.type == "edit":
        return Edit(decision.program or "")
    changed = question.binding.changes(current)
    return Stale(tuple(changed)) if changed else Approve()


def settled_before(earlier: Sequence[tuple[Question, Decision | None]], current: Binding,
                   findings: Sequence[Finding] = ()) -> Approve | Respond | None:
    """What earlier decisions of this run already say of a program; None where a person must be asked.

    A person who approved with `always_identical` has approved the same digest again. A person who edited a program has
    approved the edited one, unless the gate now reports a rule that they were not shown. A program that was declined is
    declined again.
    """
    for question, decision in reversed(earlier):
        if decision is None:
            continue
        same_program = question.binding.program_sha256 == current.program_sha256
        if decision.type in ("reject", "respond") and same_program:
            return Respond(f"already rejected: {decision.message or 'a person declined exactly this program'}")
        if decision.binding != question.binding.digest:
            continue
        if decision.type == "approve" and decision.always_identical and question.binding == current:
            return Approve()
        if decision.type == "edit" and decision.program is not None:
            edited = question.binding.model_copy(update={"program_sha256": sha256_text(decision.program)})
            shown = {finding.rule for finding in question.verdict.findings}
            if edited == current and {finding.rule for finding in findings if finding.severity != "INFO"} <= shown:
                return Approve()
    return None
