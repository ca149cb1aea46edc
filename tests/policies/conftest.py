"""One proven gate for all tests of the gate, and small policies of one's own."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fumehood.policies.gate import Gate
from fumehood.policies.profile import Policy, load_policy
from fumehood.policies.profile_file import SHIPPED_PROFILES

TWO_RULES = """
rules:
  - id: no-shell
    languages: [python]
    severity: ERROR
    message: starting a shell is not allowed; use plain Python
    pattern-either:
      - pattern: os.system(...)
      - pattern: subprocess.run(..., shell=True, ...)
  - id: no-eval
    languages: [python]
    severity: ERROR
    message: eval is not allowed; use ast.literal_eval or json
    pattern: eval(...)
"""


@pytest.fixture(scope="session")
def policy() -> Policy:
    """The shipped default."""
    return load_policy()


@pytest.fixture(scope="session")
def gate(policy: Policy, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gate]:
    """A gate under the shipped default policy."""
    made = Gate(policy, home=tmp_path_factory.mktemp("gate-home"))
    assert made.unavailable() is None
    yield made
    made.close()


@pytest.fixture
def small_policy(tmp_path: Path) -> Callable[..., Policy]:
    """Makes a policy like the default, with only the rules given as YAML."""

    def make(rules: str = TWO_RULES) -> Policy:
        shipped = (SHIPPED_PROFILES / "data-analysis.toml").read_text()
        assert shipped.count('rules = ["shipped"]') == 1
        (tmp_path / "rules.yml").write_text(rules)
        (tmp_path / "small.toml").write_text(shipped.replace('rules = ["shipped"]', 'rules = ["rules.yml"]'))
        return load_policy(str(tmp_path / "small.toml"))

    return make
