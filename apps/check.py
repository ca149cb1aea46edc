"""`check`: the gate alone, over many files in one process."""

import sys
from pathlib import Path
from typing import Any

from .asked import read_source
from .config import read_environment
from .exits import ANSWERED, MACHINERY, STOPPED, WAITING, explained, print_json

CODES = {"allow": ANSWERED, "deny": STOPPED, "review": WAITING}
ORDER = [ANSWERED, WAITING, STOPPED, MACHINERY]
"""From best to worst: over several files the worst decides."""


def check_files(files: list[Path], policy: str | None, *, sarif: bool, as_json: bool) -> None:
    """Judge each file and end with the worst one's code. A file that cannot be read is wrong use."""
    with explained(as_json=as_json):
        from ..policies.explain import explain, worth_saying
        from ..policies.gate import Gate

        environment = read_environment()
        contents = [(path, read_source(path)) for path in files]
        gate = Gate.load(policy or environment.policy, extra_rules=[Path(item) for item in environment.extra_rules],
                         home=environment.home_path)
        judged = gate.judge_many([content for _, content in contents])
        verdicts = [(path, content, verdict) for (path, content), verdict in zip(contents, judged, strict=True)]
        gate.close()
    documents: list[dict[str, Any]] = [
        {"path": str(path), "verdict": verdict.decision, "program_sha256": verdict.program_sha256,
         "policy_sha256": verdict.policy_sha256,
         "findings": [finding.model_dump() for finding in worth_saying(_shown(content), verdict.findings)]}
        for path, content, verdict in verdicts]
    if sarif:
        from ..policies.sarif import sarif_log

        print_json(sarif_log([(str(path), verdict) for path, _, verdict in verdicts], gate.policy))
    elif as_json:
        print_json(documents)
    else:
        for path, content, verdict in verdicts:
            print(f"{path}: {verdict.decision}")
            if verdict.findings:
                print(explain(_shown(content), verdict.findings))
    sys.exit(max((CODES[verdict.decision] for _, _, verdict in verdicts), key=ORDER.index, default=ANSWERED))


def _shown(content: bytes) -> str:
    return content.decode("utf-8", "replace")
