"""The gate: one verdict for exactly these bytes under exactly this policy.

Order: the bytes, the parse, the walk over the syntax tree, Semgrep over the original and the canonical source, the plan.
Allowed only if all are clean and Semgrep says that it read the canonical source whole, to the sentinel at its end. The
gate is a filter; the sandbox is the wall.
"""

import ast
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from .canonical import SENTINEL, CannotLower, Canonical, canonicalise
from .core import CANONICAL, ORIGINAL, EarlyCore, find_semgrep, rules_document, start_early
from .disguise import variants
from .errors import GateUnavailable
from .explain import explain, printable, risk_summary
from .facts import collect_facts
from .leaks import check_paths
from .levels import level_findings
from .needs import plan_findings
from .profile import Policy, load_policy
from .proof import forget_proof, keep_proof, proof_key, prove, read_proof
from .report import Scan
from .semgrep import NotScannable, Scanner, ScannerLost, Scanning
from .source import check_bytes, check_identifiers, check_text, normalise, parse_program
from .tree import walk_program
from .verdict import Facts, Finding, Needs, Verdict, finding_at, sha256_json, sha256_text

__all__ = ["Gate", "explain", "gate_python", "risk_summary"]

_AT_ONCE = 100
"""Files of one scan."""
_CACHED = 256
_SHOWN = 50
_PLAN = "plan-"


def gate_python() -> tuple[int, int]:
    """The minor version of Python whose parser judges. A program must run under the same one: 3.12 reads six forms that
    3.11 refuses."""
    return sys.version_info[:2]


@dataclass(slots=True)
class _Draft:
    """A verdict in the making."""

    text: str
    inputs_sha256: str
    findings: list[Finding]
    facts: Facts = field(default_factory=Facts)
    canonical: Canonical | None = None
    """What is left to scan; null when the verdict is settled without Semgrep."""
    scanning: Scanning | None = None
    syntax_error: bool = False
    scanned: list[str] = field(default_factory=list)


class Gate:
    """Judges programs under one policy. Safe to use from several threads. Nothing is started before it is needed."""

    def __init__(self, policy: Policy, *, home: Path | None = None, early: EarlyCore | None = None) -> None:
        """`home`: where start-up proofs are kept; without it each Gate proves its Semgrep anew (about a second). `early`:
        a core that serves the first verdict."""
        self.policy = policy
        self.policy_sha256 = policy.sha256
        self._home = home
        self._scanner: Scanner | None = None
        self._early = early
        self._key = ""
        self._lock = threading.Lock()
        self._cache: OrderedDict[str, Verdict] = OrderedDict()

    @classmethod
    def load(cls, name_or_path: str | None = None, *, extra_rules: Sequence[Path] = (), home: Path | None = None) -> "Gate":
        """The gate of that policy, as load_policy reads it, while Semgrep starts beside: for a process that will judge at
        once. Raises PolicyInvalid and GateUnavailable."""
        early = start_early()
        try:
            policy = load_policy(name_or_path, extra_rules=extra_rules)
            if early is not None:
                early.take_rules(rules_document(rule.definition for rule in policy.rule_set))
        except BaseException:
            if early is not None:
                early.close()
            raise
        return cls(policy, home=home, early=early)

    def unavailable(self) -> str | None:
        """Why nothing can be judged here, with the way out; null when the gate works. Proves Semgrep on first use."""
        try:
            self._proven()
        except GateUnavailable as error:
            return str(error)
        return None

    def warm(self) -> None:
        """Starts a scanner ahead of the next program, so that its verdict takes 10 ms instead of 110."""
        self._proven().warm()

    def close(self) -> None:
        """Ends processes started ahead. The gate may be used again; it starts anew."""
        with self._lock:
            started = [one for one in (self._scanner, self._early) if one is not None]
            self._scanner = self._early = None
        for one in started:
            one.close()

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
        draft = self._draft(text, findings, needs, earlier, inputs_sha256, known_outputs, alone=True)
        verdict = self._scanned(draft) if draft.canonical else self._verdict(draft)
        with self._lock:
            self._cache[key] = verdict
            while len(self._cache) > _CACHED:
                self._cache.popitem(last=False)
        return verdict

    def judge_many(self, programs: Sequence[bytes]) -> list[Verdict]:
        """Verdicts for many unrelated files, in their order, with one scan for all: about 10 ms each.

        Raises GateUnavailable.
        """
        verdicts: list[Verdict] = []
        for start in range(0, len(programs), _AT_ONCE):
            verdicts += self._judge_some(programs[start:start + _AT_ONCE])
        return verdicts

    def _judge_some(self, programs: Sequence[bytes]) -> list[Verdict]:
        drafts = []
        for program in programs:
            raw = normalise(program)
            drafts.append(self._draft(raw.decode("utf-8", "surrogateescape"), check_bytes(raw), None, (), "", (),
                                      alone=False))
        files: dict[str, str] = {}
        for number, draft in enumerate(drafts):
            if draft.canonical:
                files |= {f"{number}/{ORIGINAL}": draft.text, f"{number}/{CANONICAL}": draft.canonical.text}
        if not files:
            return [self._verdict(draft) for draft in drafts]
        try:
            scan = self._scan(files)
        except NotScannable:
            # One of them held the scan up; alone it is denied and the others are not.
            return [self._scanned(draft) if draft.canonical else self._verdict(draft) for draft in drafts]
        return [self._read_scan(draft, scan, f"{number}/") if draft.canonical else self._verdict(draft)
                for number, draft in enumerate(drafts)]

    # One program

    def _draft(self, text: str, findings: list[Finding], needs: Needs | None, earlier: Sequence[str],
               inputs_sha256: str, known_outputs: Sequence[str], *, alone: bool) -> "_Draft":
        """All that is said without Semgrep, whose scan is begun where the program is `alone`. Without a canonical source it
        is final, and denies."""
        scanner = self._proven()
        draft = _Draft(text, inputs_sha256, list(findings))
        if findings:
            return draft
        tree = parse_program(text)
        if isinstance(tree, Finding):
            draft.findings.append(tree)
            draft.syntax_error = tree.rule == "syntax-error"
            return draft
        if alone:
            draft.scanning = scanner.begin()
        settled = True
        try:
            if draft.scanning is not None:
                draft.scanning.give(ORIGINAL, text)
            self._read(draft, tree, earlier)
            if needs is not None and draft.canonical is not None:
                draft.findings += plan_findings(draft.facts, needs, known_outputs)
            settled = draft.canonical is None
        finally:
            if draft.scanning is not None and settled:
                draft.scanning.abandon()
        return draft

    def _read(self, draft: "_Draft", tree: ast.Module, earlier: Sequence[str]) -> None:
        """The walk and the facts, while Semgrep is at work where the program is alone."""
        try:
            try:
                whole, *others = _parsed([draft.text, *earlier])  # of its own: it is changed
                canonical = canonicalise(whole, others)
            except CannotLower as error:
                canonical = None
                draft.findings.append(self._not_scanned(str(error)))
            if canonical is not None and draft.scanning is not None:
                draft.scanning.give(CANONICAL, canonical.text)
            before = _parsed(earlier)
            found, names = walk_program(tree, self.policy, before)
            draft.facts, persistent = collect_facts(tree, names, draft.text)
            draft.findings += [*found, *persistent, *check_identifiers(draft.text), *check_paths(tree, before),
                               *level_findings(draft.facts, self.policy)]
            for plain in variants(tree):
                found, names = walk_program(plain, self.policy, before)
                draft.findings += [*found, *collect_facts(plain, names, draft.text)[1], *check_paths(plain, before)]
        except RecursionError:
            draft.findings.append(finding_at(None, "too-complex", "The program is nested too deeply to be judged.",
                                      "Split long expressions into statements."))
            return
        draft.canonical = canonical

    def _scanned(self, draft: "_Draft") -> Verdict:
        assert draft.canonical is not None
        files = {ORIGINAL: draft.text, CANONICAL: draft.canonical.text}
        try:
            try:
                scan = self._scan(files) if draft.scanning is None else self._heard(draft.scanning.result)
            except ScannerLost:
                scan = self._scan(files)
        except NotScannable as error:
            draft.findings.append(self._not_scanned(str(error)))
            return self._verdict(draft)
        return self._read_scan(draft, scan, "")

    def _scan(self, files: Mapping[str, str]) -> Scan:
        return self._heard(lambda: self._proven().scan(files))

    def _heard(self, scan: Callable[[], Scan]) -> Scan:
        try:
            return scan()
        except GateUnavailable:
            forget_proof(self._home, self._key)
            self.close()
            raise

    def _read_scan(self, draft: "_Draft", scan: Scan, folder: str) -> Verdict:
        """The verdict, once Semgrep has spoken. Of the original only findings count; the canonical must be whole."""
        assert draft.canonical is not None
        canonical, name = draft.canonical, folder + CANONICAL
        own = scan.matches_in(name)
        failure = scan.failures.get(name)
        if failure is None and not any(match.rule == SENTINEL
                                       and match.line == canonical.sentinel_line for match in own):
            failure = "it did not reach the end of the program"
        if failure is not None:
            draft.findings.append(self._not_scanned(failure))
        findings: dict[tuple[str, int], Finding] = {}
        for match in [*scan.matches_in(folder + ORIGINAL), *own]:
            if match.rule == SENTINEL or (match.file == name and match.end_line < canonical.first_line):
                continue
            rule = self.policy.rules_by_id.get(match.rule)
            if rule is None:
                raise GateUnavailable(f"Semgrep reports a rule that the policy does not have: {match.rule}")
            place = canonical.origin(match.line, match.column) if match.file == name else (match.line, match.column)
            finding = Finding(rule=rule.id, severity=rule.severity, line=place[0], column=place[1],
                              message=match.message.strip(), fix=rule.fix)
            findings.setdefault((rule.id, place[0]), finding)
        draft.findings += findings.values()
        draft.scanned = [one.removeprefix(folder) for one in scan.scanned if one.startswith(folder)]
        return self._verdict(draft)

    def _not_scanned(self, why: str) -> Finding:
        severity: Literal["ERROR", "WARNING"] = "WARNING" if self.policy.unscannable == "review" else "ERROR"
        return finding_at(None, "not-scanned", f"Semgrep could not read the whole program: {why}",
                   "Write it more plainly: shorter "
                   "statements, no deep nesting, no unusual syntax.", severity)

    def _verdict(self, draft: "_Draft") -> Verdict:
        lines = draft.text.split("\n")
        order = {"ERROR": 0, "WARNING": 1, "INFO": 2}
        shown = {(one.rule, one.line, one.message): one for one in draft.findings}
        ordered = sorted(shown.values(), key=lambda one: (order[one.severity], one.line, one.column))[:_SHOWN]
        complete = [one if one.source or not 0 < one.line <= len(lines)
                    else one.model_copy(update={"source": printable(lines[one.line - 1])}) for one in ordered]
        denials = {one.rule for one in draft.findings if one.severity == "ERROR"}
        asks = any(one.severity == "WARNING" for one in draft.findings)
        return Verdict(decision="deny" if denials else "review" if asks else "allow",
                       program_sha256=sha256_text(draft.text), policy_sha256=self.policy_sha256,
                       inputs_sha256=draft.inputs_sha256, findings=complete, facts=draft.facts,
                       syntax_error=draft.syntax_error, scanned=draft.scanned,
                       plan_violation=bool(denials) and all(rule.startswith(_PLAN) for rule in denials))

    # The scanner

    def _proven(self) -> Scanner:
        """The scanner, proven once: by a proof on disk, else by scanning the canaries. Raises GateUnavailable."""
        with self._lock:
            if self._scanner is not None and not self._scanner.usable():
                self._scanner.close()
                self._scanner = None
            if self._scanner is None:
                self._scanner = self._start()
            return self._scanner

    def _start(self) -> Scanner:
        binary = find_semgrep()
        self._key = proof_key(binary, self.policy)
        document = {"rules": [rule.definition for rule in self.policy.rule_set]}
        core = read_proof(self._home, self._key)
        early, self._early = self._early, None
        if core is not None:
            return Scanner(binary, document, use_core=core, early=early)
        failures = []
        for use_core in [True, False] if binary.core else [False]:
            scanner = Scanner(binary, document, use_core=use_core, early=early)
            early = None
            try:
                prove(scanner, self.policy)
            except GateUnavailable as error:
                scanner.close()
                failures.append(str(error))
                continue
            keep_proof(self._home, self._key, core=use_core)
            return scanner
        raise GateUnavailable(failures[0] if len(set(failures)) == 1 else "; ".join(failures))


def _parsed(programs: Sequence[str]) -> list[ast.Module]:
    return [one for one in map(parse_program, programs) if isinstance(one, ast.Module)]
