"""Why a run stopped: one closed set, with whether trying again can help and what to do next."""

from enum import StrEnum
from typing import NamedTuple


class StopReason(StrEnum):
    """Every end that is no answer has exactly one of these."""

    NO_CODE = "no_code"
    REPLY_TRUNCATED = "reply_truncated"
    BAD_REPLY = "bad_reply"
    SYNTAX_ERROR = "syntax_error"
    POLICY_DENIED = "policy_denied"
    POLICY_UNAVAILABLE = "policy_unavailable"
    PLAN_VIOLATION = "plan_violation"
    APPROVAL_REJECTED = "approval_rejected"
    APPROVAL_EXPIRED = "approval_expired"
    APPROVAL_STALE = "approval_stale"
    APPROVAL_UNAVAILABLE = "approval_unavailable"
    RUNTIME_ERROR = "runtime_error"
    TIMEOUT = "timeout"
    CPU_LIMIT = "cpu_limit"
    OUT_OF_MEMORY = "out_of_memory"
    KILLED_BY_SIGNAL = "killed_by_signal"
    OUTPUT_LIMIT = "output_limit"
    DISK_LIMIT = "disk_limit"
    PROCESS_LIMIT = "process_limit"
    NO_RESULT = "no_result"
    SCHEMA_MISMATCH = "schema_mismatch"
    INVARIANT_FAILED = "invariant_failed"
    ARTIFACT_MISSING = "artifact_missing"
    ARTIFACT_INVALID = "artifact_invalid"
    OUTPUT_UNSAFE = "output_unsafe"
    DISAGREEMENT = "disagreement"
    NO_PROGRESS = "no_progress"
    ATTEMPTS_EXHAUSTED = "attempts_exhausted"
    BUDGET_EXHAUSTED = "budget_exhausted"
    MODEL_UNAVAILABLE = "model_unavailable"
    SANDBOX_UNAVAILABLE = "sandbox_unavailable"
    LIMITS_NOT_ENFORCED = "limits_not_enforced"
    STATE_LOST = "state_lost"
    CANNOT_ANSWER = "cannot_answer"
    DELIVERY_EXHAUSTED = "delivery_exhausted"
    CANCELLED = "cancelled"


class Advice(NamedTuple):
    """What a StopReason means for the caller."""

    retryable: bool
    """Whether the same call may end otherwise without a change (a busy server, a model's luck)."""
    machinery: bool
    """Whether something of the installation is missing or broken: exit code 4 instead of 1."""
    next: str
    """What to do, in one sentence."""


_R = StopReason
ADVICE: dict[StopReason, Advice] = {
    _R.NO_CODE: Advice(True, False, "Try a model that is better at code, or state the goal as a computation."),
    _R.REPLY_TRUNCATED: Advice(True, False, "Raise the model's output limit, or ask for less at once."),
    _R.BAD_REPLY: Advice(True, False, "Try another model; this one does not keep to the reply format."),
    _R.SYNTAX_ERROR: Advice(True, False, "Mend the line that is named; for a model's program, try a better model."),
    _R.POLICY_DENIED: Advice(False, False, "Read the findings: each names the way out. Only the policy's owner can allow more."),
    _R.POLICY_UNAVAILABLE: Advice(False, True, "Run `fumehood doctor`; nothing runs until the gate can judge."),
    _R.PLAN_VIOLATION: Advice(True, False, "The program did what its own plan did not name; run again, or state the need in the goal."),
    _R.APPROVAL_REJECTED: Advice(False, False, "A person said no; read the reason."),
    _R.APPROVAL_EXPIRED: Advice(True, False, "Nobody decided in time; run again and decide within the time given."),
    _R.APPROVAL_STALE: Advice(True, False, "Program, policy or inputs changed after they were shown; look again and decide again."),
    _R.APPROVAL_UNAVAILABLE: Advice(False, False, "A person must approve, but nothing can wait here; use a checkpointer or the command line."),
    _R.RUNTIME_ERROR: Advice(True, False, "Read the exception and its line; the program is in the run's folder."),
    _R.TIMEOUT: Advice(True, False, "Raise --timeout within the policy, or let the program do less."),
    _R.CPU_LIMIT: Advice(True, False, "Raise --cpu within the policy, or let the program do less."),
    _R.OUT_OF_MEMORY: Advice(True, False, "Raise --memory within the policy, or read the data in chunks."),
    _R.KILLED_BY_SIGNAL: Advice(True, False, "The program died of a signal; read its stderr."),
    _R.OUTPUT_LIMIT: Advice(True, False, "Print less, or write a file."),
    _R.DISK_LIMIT: Advice(True, False, "Write less, or raise workspace_mb within the policy."),
    _R.PROCESS_LIMIT: Advice(True, False, "Start fewer processes and threads, or raise `processes` within the policy."),
    _R.NO_RESULT: Advice(True, False, "The program ended without a result: call final_answer(value) or print one JSON value."),
    _R.SCHEMA_MISMATCH: Advice(True, False, "The result does not fit the schema; read which part."),
    _R.INVARIANT_FAILED: Advice(True, False, "A check on the result does not hold; read which."),
    _R.ARTIFACT_MISSING: Advice(True, False, "A declared output was not written by this run."),
    _R.ARTIFACT_INVALID: Advice(True, False, "A declared output is empty, too large, of another type, or no regular file."),
    _R.OUTPUT_UNSAFE: Advice(False, False, "The result is too large or too deep to be handed on; ask for less."),
    _R.DISAGREEMENT: Advice(True, False, "Independent computations gave different values; compare the programs."),
    _R.NO_PROGRESS: Advice(True, False, "The model repeats itself; state the goal otherwise or try another model."),
    _R.ATTEMPTS_EXHAUSTED: Advice(True, False, "Raise --max-attempts, or read why the last attempt failed."),
    _R.BUDGET_EXHAUSTED: Advice(True, False, "A budget (steps, time or tokens) is used up; raise it, or ask for less."),
    _R.MODEL_UNAVAILABLE: Advice(True, True, "Check the model's server, key and name with `fumehood doctor`."),
    _R.SANDBOX_UNAVAILABLE: Advice(False, True, "Run `fumehood doctor`: it says what each engine needs here."),
    _R.LIMITS_NOT_ENFORCED: Advice(False, True, "No engine here can hold the limits that the policy requires; `fumehood doctor` lists what each holds."),
    _R.STATE_LOST: Advice(True, False, "The session's variables are gone; run again, or keep results in files."),
    _R.CANNOT_ANSWER: Advice(False, False, "The question cannot be answered from what was given; read what is missing."),
    _R.DELIVERY_EXHAUSTED: Advice(True, False, "The run was handed out too often without an end; look at the worker's log."),
    _R.CANCELLED: Advice(True, False, "The run was stopped by its caller."),
}
