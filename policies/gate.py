"""The gate: one verdict for exactly these bytes under exactly this policy.

Order: the bytes, the parse, the walk over the syntax tree, Semgrep over the original and the canonical source, the plan.
Allowed only if all are clean and Semgrep says that it read the canonical source whole, to the sentinel at its end. The
gate is a filter; the sandbox is the wall.
"""

import ast
import sys
import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from .canonical import SENTINEL, CannotLower, Canonical, canonicalise
from .errors import GateUnavailable
from .explain import explain, printable, risk_summary
from .facts import collect_facts
from .flow import find_leaks
from .needs import plan_findings
from .profile import Policy
from .proof import forget_proof, keep_proof, proof_key, prove, read_proof
from .semgrep import CANONICAL, ORIGINAL, NotScannable, Scan, Scanner, find_semgrep
from .source import check_bytes, check_identifiers, check_text, normalise, parse_program
from .tree import walk_program
from .verdict import Decision, Facts, Finding, Needs, Verdict, sha256_json, sha256_text

__all__ = ["Gate", "explain", "gate_python", "risk_summary"]

_CACHED = 256
_SHOWN = 50
_PLAN = "plan-"


def gate_python() -> tuple[int, int]:
    """The minor version of Python whose parser judges. A program must run under the same one: 3.12 reads six forms that
    3.11 refuses."""
    return sys.version_info[:2]


class Gate:
    """Judges programs under one policy. Safe to use from several threads. Nothing is started before it is needed."""

    def __init__(self, policy: Policy, *, home: Path | None = None) -> None:
        """`home`: where start-up proofs are kept; without it each Gate proves its Semgrep anew (about 0.3 s)."""
        self.policy = policy
        self.policy_sha256 = policy.sha256
        self._kinds: dict[str, Decision] = {str(kind): decision for kind, decision in policy.kinds.items()}
        self._home = home
        self._scanner: Scanner | None = None
        self._key = ""
        self._lock = threading.Lock()
        self._cache: OrderedDict[str, Verdict] = OrderedDict()

    def unavailable(self) -> str | None:
        """Why nothing can be judged here, with the way out; null when the gate works. Proves Semgrep on first use."""
        try:
            self._proven()
        except GateUnavailable as error:
            return str(error)
        return None

    def warm(self) -> None:
        """Starts a scanner ahead of the next program, so that its verdict takes 10 ms instead of 90."""
        self._proven().warm()

    def close(self) -> None:
        """Ends processes started ahead. The gate may be used again; it starts anew."""
        with self._lock:
            scanner, self._scanner = self._scanner, None
        if scanner:
            scanner.close()

    def judge(self, program: str | bytes, *, needs: Needs | None = None, earlier: Sequence[str] = (),
              inputs_sha256: str = "",
              known_outputs: Sequence[str] = ()) -> Verdict:
        """The verdict for one program.

        `program`: text as it will run, or the bytes of a person's own file, which are normalised first (the digest is
        that of the normalised text). `earlier`: programs that ran before it in the same session, oldest first; their
        names are in scope. `known_outputs`: files that earlier steps wrote. Raises GateUnavailable when nothing can be
        judged; then nothing may run.
        """
        if isinstance(program, bytes):
            raw = normalise(program)
            findings = check_bytes(raw)
            text = raw.decode("utf-8", "surrogateescape")
        else:
            findings, text = check_text(program), program
        key = sha256_json([sha256_text(text), self.policy_sha256, inputs_sha256, [sha256_text(one) for one in earlier],
                           needs.model_dump() if needs else None, list(known_outputs)])
        with self._lock:
            known = self._cache.get(key)
            if known is not None:
                self._cache.move_to_end(key)
                return known
        verdict = self._judge(text, findings, needs, earlier, inputs_sha256, known_outputs)
        with self._lock:
            self._cache[key] = verdict
            while len(self._cache) > _CACHED:
                self._cache.popitem(last=False)
        return verdict

    # One program

    def _judge(self, text: str, findings: list[Finding], needs: Needs | None, earlier: Sequence[str],
               inputs_sha256: str,
               known_outputs: Sequence[str]) -> Verdict:
        scanner = self._proven()
        if findings:
            return self._verdict(text, findings, inputs_sha256)
        scanner.warm()
        tree = parse_program(text)
        if isinstance(tree, Finding):
            return self._verdict(text, [tree], inputs_sha256, syntax_error=tree.rule == "syntax-error")
        before = [one for one in map(parse_program, earlier) if isinstance(one, ast.Module)]
        try:
            findings, names = walk_program(tree, self.policy, before)
            facts, persistent = collect_facts(tree, names, text)
            findings += persistent
            findings += check_identifiers(text)
            findings += self._leaks(tree, before)
            findings += self._by_policy(facts)
        except RecursionError:
            return self._verdict(text, [_too_deep()], inputs_sha256)
        if needs is not None:
            findings += plan_findings(facts, needs, known_outputs)
        scanned: list[str] = []
        try:
            canonical = canonicalise(tree, before)
            scan = self._scan(scanner, text, canonical)
            scanned = scan.scanned
            findings += self._from_scan(scan, canonical)
        except (CannotLower, NotScannable) as error:
            findings.append(self._not_scanned(str(error)))
        return self._verdict(text, findings, inputs_sha256, facts=facts, scanned=scanned)

    def _scan(self, scanner: Scanner, text: str, canonical: Canonical) -> Scan:
        try:
            scan = scanner.scan({ORIGINAL: text, CANONICAL: canonical.text}, refill=True)
        except GateUnavailable:
            forget_proof(self._home, self._key)
            self.close()
            raise
        ends = [match for match in scan.matches if match.rule == SENTINEL and match.file == CANONICAL
                and match.line == canonical.sentinel_line]
        if not ends:
            raise NotScannable("Semgrep did not reach the end of the program")
        return scan

    def _from_scan(self, scan: Scan, canonical: Canonical) -> list[Finding]:
        findings: dict[tuple[str, int], Finding] = {}
        rules = self.policy.rules_by_id
        for match in sorted(scan.matches, key=lambda one: one.file == CANONICAL):
            if match.rule == SENTINEL or (match.file == CANONICAL and match.end_line < canonical.first_line):
                continue
            rule = rules.get(match.rule)
            if rule is None:
                raise GateUnavailable(f"Semgrep reports a rule that the policy does not have: {match.rule}")
            line, column = match.line, match.column
            if match.file == CANONICAL:
                line, column = canonical.origin(match.line, match.column)
            finding = Finding(rule=rule.id, severity=rule.severity, line=line, column=column,
                              message=match.message.strip(),
                              fix=rule.fix)
            findings.setdefault((rule.id, line), finding)
        return list(findings.values())

    def _leaks(self, tree: ast.Module, before: Sequence[ast.Module]) -> list[Finding]:
        own = {id(node) for node in ast.walk(tree)}
        findings = []
        for leak in find_leaks([*before, tree]):
            place = leak.literal if id(leak.literal) in own else leak.place
            if id(place) in own:
                what = f"The address {leak.text[:80]!r}" if leak.address else f"The path {leak.text[:80]!r}"
                rule = "network-address" if leak.address else "path-outside"
                why = "is opened; there is no network" if leak.address else "leaves the working folder"
                fix = ("Ask for the data as an input file." if leak.address else
                       "Use the name of an input or output, relative to the working folder.")
                findings.append(_at(place, rule, f"{what} {why}.", fix))
        return findings

    def _by_policy(self, facts: Facts) -> list[Finding]:
        """What the policy says about calls, kinds of computation, cost and tools."""
        findings = []
        for call in facts.calls:
            last = call.rsplit(".", 1)[-1]
            if call in self.policy.review_calls or last in self.policy.review_calls:
                findings.append(_at(None, "review-call", f"The program calls {call}.", "Do without it.", "WARNING"))
        for kind in facts.kinds:
            findings += _decided(self._kinds.get(kind, "deny"), "kind-of-computation",
                                 f"Programs of the kind {kind.replace('_', ' ')} are not simply allowed.")
        findings += _decided(self.policy.cost[facts.cost], "estimated-cost",
                             f"The estimated cost is {facts.cost}: nested or "
                             "unbounded loops, or very large numbers of items.")
        for tool in facts.tools:
            if tool not in self.policy.tools:
                findings.append(_at(None, "tool-not-allowed", f"The policy {self.policy.name} has no tool {tool}.",
                                    f"Tools: {', '.join(self.policy.tools) or 'none'}."))
        return findings

    def _not_scanned(self, why: str) -> Finding:
        severity: Literal["ERROR", "WARNING"] = "WARNING" if self.policy.unscannable == "review" else "ERROR"
        return _at(None, "not-scanned", f"Semgrep could not read the whole program: {why}",
                   "Write it more plainly: shorter "
                   "statements, no deep nesting, no unusual syntax.", severity)

    def _verdict(self, text: str, findings: list[Finding], inputs_sha256: str, *, facts: Facts | None = None,
                 scanned: Sequence[str] = (), syntax_error: bool = False) -> Verdict:
        lines = text.split("\n")
        order = {"ERROR": 0, "WARNING": 1, "INFO": 2}
        shown = {(one.rule, one.line, one.message): one for one in findings}
        ordered = sorted(shown.values(), key=lambda one: (order[one.severity], one.line, one.column))[:_SHOWN]
        complete = [one if one.source or not 0 < one.line <= len(lines)
                    else one.model_copy(update={"source": printable(lines[one.line - 1])}) for one in ordered]
        denials = {one.rule for one in findings if one.severity == "ERROR"}
        decision: Decision = "deny" if denials else "review" if any(one.severity == "WARNING"
                                                                    for one in findings) else "allow"
        return Verdict(decision=decision, program_sha256=sha256_text(text), policy_sha256=self.policy_sha256,
                       inputs_sha256=inputs_sha256, findings=complete, facts=facts or Facts(),
                       syntax_error=syntax_error,
                       plan_violation=bool(denials) and all(rule.startswith(_PLAN) for rule in denials),
                       scanned=list(scanned))

    # The scanner

    def _proven(self) -> Scanner:
        """The scanner, proven once: by a proof on disk, else by scanning the canaries. Raises GateUnavailable."""
        with self._lock:
            if self._scanner is None:
                self._scanner = self._start()
            return self._scanner

    def _start(self) -> Scanner:
        binary = find_semgrep()
        self._key = proof_key(binary, self.policy)
        document = {"rules": [rule.definition for rule in self.policy.rule_set]}
        core = read_proof(self._home, self._key)
        if core is not None:
            return Scanner(binary, document, use_core=core)
        failures = []
        for use_core in [True, False] if binary.core else [False]:
            scanner = Scanner(binary, document, use_core=use_core)
            try:
                prove(scanner, self.policy)
            except GateUnavailable as error:
                scanner.close()
                failures.append(str(error))
                continue
            keep_proof(self._home, self._key, core=use_core)
            return scanner
        raise GateUnavailable(failures[0] if len(set(failures)) == 1 else "; ".join(failures))


def _decided(decision: Decision, rule: str, message: str) -> list[Finding]:
    if decision == "allow":
        return []
    return [_at(None, rule, message, "Reach the goal with a simpler program.",
                "ERROR" if decision == "deny" else "WARNING")]


def _at(node: ast.AST | None, rule: str, message: str, fix: str, severity: Literal["ERROR",
                                                                                   "WARNING"] = "ERROR") -> Finding:
    return Finding(rule=rule, severity=severity, line=getattr(node, "lineno", 0), column=getattr(node, "col_offset",
                                                                                                 -1) + 1,
                   message=message, fix=fix)


def _too_deep() -> Finding:
    return _at(None, "too-complex", "The program is nested too deeply to be judged.",
               "Split long expressions into statements.")
