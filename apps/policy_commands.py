"""`policy test` and `policy show`."""

import shutil
import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from .config import read_environment
from .exits import ANSWERED, STOPPED, explained, print_json

if TYPE_CHECKING:
    from ..policies.profile import Policy


def test_policy(policy: str | None, *, as_json: bool) -> None:
    """Run the samples of every rule of the effective policy."""
    with explained(as_json=as_json):
        from ..policies.profile import load_policy
        from ..policies.selftest import run_selftest

        environment = read_environment()
        report = run_selftest(load_policy(policy or environment.policy,
                                          extra_rules=[Path(item) for item in environment.extra_rules]))
    if as_json:
        print_json(report.model_dump(mode="json"))
    else:
        for problem in report.problems:
            print(problem)
        print(f"{report.rules} rules: {'every sample holds' if report.passed else 'samples fail'}")
    sys.exit(ANSWERED if report.passed else STOPPED)


def show_effective(policy: str | None, *, as_json: bool) -> None:
    """Print the effective policy."""
    with explained(as_json=as_json):
        from ..policies.profile import load_policy, show_policy

        environment = read_environment()
        found = load_policy(policy or environment.policy, extra_rules=[Path(item) for item in environment.extra_rules])
    if as_json:
        print_json(show_policy(found))
    else:
        _print_policy(found)


def _print_policy(policy: "Policy") -> None:
    """In groups, for reading; `--json` has everything."""
    width = max(60, shutil.get_terminal_size((100, 24)).columns)

    def group(title: str, lines: Iterable[str]) -> None:
        print(f"\n{title}")
        for line in lines:
            print(textwrap.fill(line, width, initial_indent="  ", subsequent_indent="      ", break_long_words=False,
                                break_on_hyphens=False))

    print(f"policy {policy.name}  {policy.sha256[:19]}")
    print(textwrap.fill(policy.description, width, initial_indent="  ", subsequent_indent="  ") or f"  {policy.source}")
    group("modules that may be imported (.* with their submodules)", [", ".join(policy.imports)])
    group("modules of which only these names may be used",
          [f"{module}: {', '.join(names)}" for module, names in policy.partial_imports.items()] or ["none"])
    ceiling, asked = policy.limits_ceiling.model_dump(), policy.approval_limits.model_dump()
    group("limits of one program: the ceiling, and from where on a person is asked",
          [f"{name:<13}{most:>9g}  asked above {asked[name]:g}" if asked[name] < most else f"{name:<13}{most:>9g}"
           for name, most in ceiling.items()])
    required = [f"{name} {value if isinstance(value, str) else ', '.join(value) if isinstance(value, list) else ''}".strip()
                for name, value in policy.requirements.model_dump().items() if value]
    group("engines, in order", [", ".join(policy.engines), f"must have: {'; '.join(required)}"])
    group("decided by what is computed, and by its cost", [
        ", ".join(f"{name}: {decision}" for name, decision in policy.kinds.items()),
        ", ".join(f"{name}: {decision}" for name, decision in policy.cost.items())])
    group("people and models", [
        f"approval: {policy.approval}", f"the model sees of the inputs at most: {policy.preview}",
        f"host tools: {', '.join(policy.tools) or 'none'}",
        f"calls shown to a person: {', '.join(policy.review_calls) or 'none'}"])
    longest = max(len(rule.id) for rule in policy.rule_set)
    print(f"\nrules ({len(policy.rule_set)}; the whole text of each is in --json)")
    for rule in policy.rule_set:
        line = " ".join(rule.message.split())
        print(_cut(f"  {rule.id:<{longest}}  {rule.severity:<8} {line}", width))


def _cut(line: str, width: int) -> str:
    return line if len(line) <= width else f"{line[:width - 1]}…"
