"""The rules' own tests: each rule finds what its sample says, leaves the rest alone, and is needed.

A sample is a Python file named like its rule (`no-eval.py`), beside the rule file; the samples of the shipped rules are in
the package `samples` (the folder tests/rules of a clone). `# ruleid: no-eval` stands before a line that the rule must
report, `# ok: no-eval` before one that it must not: Semgrep's own convention. Samples are only ever scanned, never run.
"""

import importlib.util
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from .canonical import SENTINEL
from .core import find_semgrep
from .errors import PolicyInvalid
from .profile import Policy
from .ruleset import SHIPPED_RULES, Rule
from .semgrep import NotScannable, Scanner

_MARK = re.compile(r"\s*#\s*(ruleid|ok):\s*(.+)")
_STRENGTH = {"INFO": 0, "WARNING": 1, "ERROR": 2}
_TIMEOUT_S = 120.0

Lines = dict[str, set[int]]
"""Rule id → 1-based lines of one sample."""


class RuleProblem(BaseModel):
    """One thing that is wrong with a rule or its sample."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rule: str
    file: str
    """The sample, or the rule file where there is no sample."""
    line: int = 0
    """1-based; 0 where no line applies."""
    message: str


class SelftestReport(BaseModel):
    """What the rules' own tests found. `passed` when there is no problem at all."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    policy: str
    rules: int
    samples: int
    must_match: int
    """Lines that had to be reported."""
    must_not_match: int
    problems: list[RuleProblem]

    @property
    def passed(self) -> bool:
        """Whether every rule has a sample, behaves as it says, and would be missed."""
        return not self.problems


class Sample:
    """A sample file: which lines a rule must report and which it must not."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.text = text
        self.must, self.must_not = read_marks(text)


def run_selftest(policy: Policy) -> SelftestReport:
    """Scans the samples of all rules of the policy, the operator's too.

    Raises GateUnavailable when Semgrep cannot be used, PolicyInvalid when a sample cannot be read at all.
    """
    folder = _shipped_samples()
    problems: list[RuleProblem] = []
    samples: dict[str, Sample] = {}
    for rule in policy.rule_set:
        path = _sample_of(rule, folder)
        if path is None:
            problems.append(RuleProblem(rule=rule.id, file=rule.file, message=f"has no sample; write {rule.id}.py beside "
                                        "it, with `# ruleid:` and `# ok:` lines"))
            continue
        samples[rule.id] = _read(path)
    found = _scan(policy, samples, problems)
    for rule in policy.rule_set:
        if rule.id in found:
            problems += _compare(rule, samples[rule.id], found[rule.id])
    problems += _needless(policy, samples, found)
    problems += _swappable(samples, found)
    marked = [sample for name, sample in samples.items() if name in found]
    return SelftestReport(policy=policy.name, rules=len(policy.rule_set), samples=len(samples),
                          must_match=sum(len(lines) for sample in marked for lines in sample.must.values()),
                          must_not_match=sum(len(lines) for sample in marked for lines in sample.must_not.values()),
                          problems=problems)


def read_marks(text: str) -> tuple[Lines, Lines]:
    """The lines that must and must not match, by rule. A mark speaks of the next line that is code."""
    must: Lines = defaultdict(set)
    must_not: Lines = defaultdict(set)
    waiting: list[tuple[Lines, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        mark = _MARK.fullmatch(line)
        if mark:
            side = must if mark[1] == "ruleid" else must_not
            waiting += [(side, name) for name in re.split(r"[,\s]+", mark[2].strip())]
        elif line.strip() and not line.lstrip().startswith("#"):
            for side, name in waiting:
                side[name].add(number)
            waiting = []
    return must, must_not


def _shipped_samples() -> Path | None:
    spec = importlib.util.find_spec(f"{__package__}.samples")
    found = [Path(place) for place in (spec.submodule_search_locations or [])] if spec else []
    clone = Path(__file__).resolve().parent.parent / "tests" / "rules"
    return next((folder for folder in [*found, clone] if folder.is_dir()), None)


def _sample_of(rule: Rule, shipped: Path | None) -> Path | None:
    home = Path(rule.file)
    folders = [home.parent, home.parent / "samples"]
    if shipped and home.parent == SHIPPED_RULES.resolve():
        folders = [shipped]
    names = (f"{rule.id}.py", f"{home.stem}.py")
    return next((path for folder in folders for name in names if (path := folder / name).is_file()), None)


def _read(path: Path) -> Sample:
    try:
        return Sample(path, path.read_bytes().decode("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise PolicyInvalid(f"{path}: the sample cannot be read: {error}") from error


def _scan(policy: Policy, samples: Mapping[str, Sample], problems: list[RuleProblem]) -> dict[str, Lines]:
    """Rule whose sample it is → what every rule found in it. A sample that cannot be scanned whole is a problem."""
    binary = find_semgrep()
    scanner = Scanner(binary, {"rules": [rule.definition for rule in policy.rule_set]}, use_core=binary.core is not None,
                      timeout_s=_TIMEOUT_S)
    found: dict[str, Lines] = {}
    try:
        try:
            found = _matches(scanner, samples)
        except NotScannable:
            for name, sample in samples.items():
                try:
                    found |= _matches(scanner, {name: sample})
                except NotScannable as error:
                    problems.append(_unread(name, sample, str(error)))
    finally:
        scanner.close()
    for name in [name for name, lines in found.items() if SENTINEL not in lines]:
        problems.append(_unread(name, samples[name], "the call at its end is not seen"))
        del found[name]
    return found


def _unread(rule: str, sample: Sample, why: str) -> RuleProblem:
    return RuleProblem(rule=rule, file=str(sample.path), message=f"Semgrep cannot scan the sample whole: {why}")


def _matches(scanner: Scanner, samples: Mapping[str, Sample]) -> dict[str, Lines]:
    if not samples:
        return {}
    # Semgrep can drop a file without an error; the call at its end proves that it was read.
    scan = scanner.scan({f"{name}.py": f"{sample.text}\n{SENTINEL}()\n" for name, sample in samples.items()})
    found: dict[str, Lines] = {name: defaultdict(set) for name in samples}
    for match in scan.matches:
        name = match.file.removesuffix(".py")
        if match.line <= samples[name].text.count("\n") + 1 or match.rule == SENTINEL:
            found[name][match.rule].add(match.line)
    return found


def _compare(rule: Rule, sample: Sample, found: Lines) -> Iterable[RuleProblem]:
    expected, forbidden, reported = sample.must[rule.id], sample.must_not[rule.id], found[rule.id]
    if not expected or not forbidden:
        kind = "ruleid" if not expected else "ok"
        yield RuleProblem(rule=rule.id, file=str(sample.path),
                          message=f"the sample has no line marked `# {kind}: {rule.id}`")
    for line in sorted(expected - reported):
        yield RuleProblem(rule=rule.id, file=str(sample.path), line=line, message="the rule does not report this line")
    for line in sorted(reported - expected):
        yield RuleProblem(rule=rule.id, file=str(sample.path), line=line,
                          message="the rule reports this line, which is " +
                                  ("marked ok" if line in forbidden else "not marked as ruleid"))


def _needless(policy: Policy, samples: Mapping[str, Sample], found: Mapping[str, Lines]) -> Iterable[RuleProblem]:
    """Rules whose deletion would change nothing: others, at least as strict, report every line of their samples."""
    for rule in policy.rule_set:
        if rule.id not in found:
            continue
        others: set[int] = set()
        for other in policy.rule_set:
            if other.id != rule.id and _STRENGTH[other.severity] >= _STRENGTH[rule.severity]:
                others |= found[rule.id][other.id]
        expected = samples[rule.id].must[rule.id]
        if expected and expected <= others:
            yield RuleProblem(rule=rule.id, file=str(samples[rule.id].path), message="deleting the rule would change "
                              "nothing: other rules report every line of its sample; show what only this rule finds, or "
                              "delete it")


def _swappable(samples: Mapping[str, Sample], found: Mapping[str, Lines]) -> Iterable[RuleProblem]:
    """Pairs of rules that would pass each other's samples."""
    passes = {(rule, other) for other in found for rule in found[other]
              if samples[other].must[other] and found[other][rule] == samples[other].must[other]}
    for rule, other in sorted(passes):
        if rule < other and (other, rule) in passes:
            yield RuleProblem(rule=rule, file=str(samples[rule].path),
                              message=f"the samples of {rule} and {other} could be swapped: each rule passes the other's")
