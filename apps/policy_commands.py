"""`policy test` and `policy show`."""

import json
import sys
from pathlib import Path

from .config import read_environment
from .exits import ANSWERED, STOPPED, explained, print_json


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
        shown = show_policy(load_policy(policy or environment.policy,
                                        extra_rules=[Path(item) for item in environment.extra_rules]))
    if as_json:
        print_json(shown)
        return
    for name, value in shown.items():
        print(f"{name}: {value if isinstance(value, str) else json.dumps(value)}")
