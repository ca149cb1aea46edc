"""What the gate says of one program, and the one type that may be run."""

import ast
import hashlib
import json
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from .errors import NotApproved

Severity = Literal["ERROR", "WARNING", "INFO"]
Decision = Literal["allow", "review", "deny"]


def sha256_text(text: str) -> str:
    """SHA-256 of the UTF-8 bytes, as 64 hex digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def sha256_json(value: Any) -> str:
    """SHA-256 of canonical JSON: sorted keys, no spaces, no NaN. Take it over validated data only."""
    return sha256_text(json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False))


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Finding(_Data):
    """One reason of the gate, in terms of the program."""

    rule: str
    severity: Severity
    line: int
    """1-based line of the program as written; 0 where no line applies."""
    message: str
    """Why, for a person and for a model."""
    fix: str = ""
    """The way out: what to write instead."""
    column: int = 0
    """1-based; 0 when unknown."""
    source: str = ""
    """The program's line, cut to 200 characters."""


class Facts(_Data):
    """What the syntax tree says a program can do; shown at approval and compared with the plan."""

    imports: list[str] = []
    """Modules named by import statements, dotted, sorted."""
    calls: list[str] = []
    """Names called, dotted where the tree shows it, sorted, at most 200."""
    reads: list[str] = []
    """String literals opened or read."""
    writes: list[str] = []
    paths: list[str] = []
    """Other literals that look like paths."""
    hosts: list[str] = []
    tools: list[str] = []
    """Names used as `tools.name(...)`."""
    kinds: list[str] = []
    """Kinds of computation: scalar, table, file_conversion, chart, simulation, fitting."""
    cost: Literal["low", "medium", "high"] = "low"
    lines: int = 0
    nesting: int = 0


class Needs(_Data):
    """What a plan says its program will need. Null means: not declared, so not compared."""

    imports: list[str] | None = None
    inputs: list[str] | None = None
    outputs: list[str] | None = None
    tools: list[str] | None = None


class Verdict(_Data):
    """The gate's word for exactly one program under exactly one policy with exactly these inputs."""

    decision: Decision
    program_sha256: str
    policy_sha256: str
    inputs_sha256: str = ""
    findings: list[Finding] = []
    facts: Facts = Facts()
    plan_violation: bool = False
    """True where the only denials come from the plan's own needs."""
    syntax_error: bool = False
    """True where the text is no Python at all: the model's fault, not a violation."""
    scanned: list[str] = []
    """Names of the files that Semgrep says it scanned."""


class Approved(_Data):
    """A program that may run: made by `approve_program` only, checked again by `ensure_approved` right before the run."""

    program: str
    program_sha256: str
    verdict: Verdict
    decided_by: Literal["policy", "person"]


def approve_program(program: str, verdict: Verdict, *, person: bool = False) -> Approved:
    """The only maker of Approved. `person`: a person said yes to this very verdict.

    Raises NotApproved when the verdict denies, wants a person and has none, or is for other bytes.
    """
    approved = Approved(program=program, program_sha256=verdict.program_sha256, verdict=verdict,
                        decided_by="person" if person else "policy")
    ensure_approved(approved)
    return approved


def ensure_approved(candidate: object) -> Approved:
    """The same object if it is an Approved whose digest fits its bytes and whose verdict lets it run.

    A failed reconstruction from a checkpoint arrives as a plain dict, so the type is checked too. Raises NotApproved.
    """
    if not isinstance(candidate, Approved):
        raise NotApproved(f"expected an approved program, got {type(candidate).__name__}; judge it again")
    verdict = candidate.verdict
    if verdict.decision == "deny" or (verdict.decision == "review" and candidate.decided_by != "person"):
        raise NotApproved(f"the verdict is {verdict.decision}; only an allowed or approved program runs")
    if any(finding.severity == "ERROR" for finding in verdict.findings):
        raise NotApproved("the verdict has denials among its findings")
    if sha256_text(candidate.program) != verdict.program_sha256 or candidate.program_sha256 != verdict.program_sha256:
        raise NotApproved("the program is not the one that was judged; judge it again")
    return candidate


def finding_at(node: ast.AST | None, rule: str, message: str, fix: str,
               severity: Literal["ERROR", "WARNING"] = "ERROR") -> Finding:
    """A finding at a node of the syntax tree; at the program as a whole for null."""
    return Finding(rule=rule, severity=severity, line=getattr(node, "lineno", 0),
                   column=getattr(node, "col_offset", -1) + 1, message=message, fix=fix)
