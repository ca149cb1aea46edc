"""Whether attempts get anywhere. Repeating is told by what a program is and how it failed, not by its text."""

import re
from collections.abc import Sequence
from typing import Literal

from ..policies.verdict import sha256_text
from .state import Attempt
from .stop import StopReason
from .syntax import statements

Judgement = Literal["ok", "change", "replan", "stop"]

# A reply without a program has nothing to compare, and a step that delivered nothing did not fail.
_NOT_COMPARED = {StopReason.NO_CODE, StopReason.BAD_REPLY, StopReason.REPLY_TRUNCATED, StopReason.NO_RESULT,
                 StopReason.APPROVAL_REJECTED, StopReason.APPROVAL_EXPIRED, StopReason.APPROVAL_STALE}
_DENIALS = {StopReason.POLICY_DENIED, StopReason.PLAN_VIOLATION}
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{4,}|/tmp/\S+|\b[0-9a-f]{8}-[0-9a-f-]{27}\b")
_TIMES = 3
"""How often the same program, error or finding may come before the run stops."""


def tree_sha256(program: str) -> str:
    """Digest of the program's syntax tree: comments, spaces and quotes make no difference. Of the text where it has none."""
    tree = statements(program)
    return sha256_text("text:" + " ".join(program.split()) if tree is None else "\n".join(tree))


def error_fingerprint(attempt: Attempt) -> str | None:
    """How the attempt failed, without what changes by itself (addresses, temporary names, the line); null if it did not."""
    reason, execution = attempt.reason, attempt.execution
    if reason is None or reason in _NOT_COMPARED or reason in _DENIALS:
        return None
    if execution is not None and execution.outcome != "completed":
        if execution.error is not None:
            return f"{reason}:{execution.error.type}:{_ADDRESS.sub('', execution.error.message)}"
        ending = f"{reason}:{execution.outcome}:{execution.limit}:{execution.signal}:{execution.exit_code}"
        # An exit by hand says why in what it printed, if anywhere.
        said = execution.stdout[-200:] + execution.stderr[-200:] if execution.outcome == "error" else ""
        return f"{ending}:{_ADDRESS.sub('', said)}"
    return f"{reason}:{_ADDRESS.sub('', attempt.detail)}"


def _fingerprints(attempt: Attempt, step: int) -> set[str]:
    """What of an attempt can be repeated. Programs count over the whole run, failures within one step."""
    found = {f"program:{attempt.tree_sha256}"} if attempt.tree_sha256 else set()
    if attempt.step == step:
        if error := error_fingerprint(attempt):
            found.add(f"error:{error}")
        if attempt.reason in _DENIALS:
            found.update(f"rule:{finding.rule}" for finding in attempt.findings if finding.severity == "ERROR")
    return found


def judge_progress(attempts: Sequence[Attempt], forgiven: int = 0) -> Judgement:
    """What the newest attempt says of the run.

    A repetition is an attempt whose program, error or denying rule an earlier one had, next to it or further back
    (A-B-A). The first asks for a change of approach, the second for a new plan; what comes a third time stops the run.
    What a plan does not name cannot be mended by another program, so there the new plan comes first.
    `forgiven`: attempts up to this number are over, since a person has spoken after them.
    """
    attempts = [attempt for attempt in attempts if attempt.number > forgiven]
    if not attempts:
        return "ok"
    step = attempts[-1].step
    counts: dict[str, int] = {}
    repetitions, newest = 0, 0
    for attempt in attempts:
        marks = _fingerprints(attempt, step)
        newest = max((counts.get(mark, 0) for mark in marks), default=0)
        repetitions += newest > 0 and attempt.step == step
        for mark in marks:
            counts[mark] = counts.get(mark, 0) + 1
    if newest == 0:
        return "ok"
    if newest + 1 >= _TIMES or repetitions >= _TIMES:
        return "stop"
    wrong_plan = attempts[-1].reason is StopReason.PLAN_VIOLATION
    return "replan" if repetitions == (1 if wrong_plan else 2) else "change"


_INSTRUCTIONS: dict[Judgement, str] = {
    "ok": "",
    "change": "This is the same as before: the same program, the same error or the same refusal. Sending it again "
              "cannot help. Change the approach: first look at what the program meets (print the types, keys, columns, "
              "first rows it fails on), and then write it in another way.",
    "replan": "You are going round in circles, so drop these programs. Read the task above again: where it has a new plan, "
              "that one holds from now on, with its modules and inputs. Send the first small program of another way. If the "
              "data do not hold what is asked, reply CANNOT_ANSWER: with the reason.",
    "stop": "",
}


def instruction_for(judgement: Judgement) -> str:
    """What the model is told beside the feedback; empty where there is nothing to say."""
    return _INSTRUCTIONS[judgement]
