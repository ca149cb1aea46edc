"""Which outcome the facts of an end prove, where a real run reaches a fact only now and then."""

from typing import Any

import pytest
from fumehood.sandbox.ending import judge
from fumehood.sandbox.limits import Limits

NO_SPACE = {"type": "OSError", "message": "[Errno 28] No space left on device", "line": 2, "disk": True}


def ended(files_free: int | None) -> dict[str, Any]:
    return {"stopped_by": None, "signal": None, "exit_code": 1, "cpu_s": 0.1, "shared": None, "error": NO_SPACE,
            "scratch": {"bytes": 2**28, "free": 2**20, "files": 600, "files_free": files_free}}


@pytest.mark.parametrize(("files_free", "limit", "number"), [
    (0, "files", "500"), (7, "disk", "64 MB"), (None, "disk", "64 MB")])
def test_no_space_is_told_apart_by_what_is_full(files_free: int | None, limit: str, number: str) -> None:
    """A program that makes files faster than the watch looks meets the file system's own bound on their number."""
    outcome, found, message = judge(ended(files_free), Limits(files=500, workspace_mb=64), oom_killed=False)
    assert (outcome, found) == ("limit", limit)
    assert number in message
