"""Exit codes, one meaning each, and how an outcome or an error becomes one."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

ANSWERED = 0
STOPPED = 1
WRONG_USE = 2
WAITING = 3
MACHINERY = 4


def code_of(status: str, stop_reason: str | None) -> int:
    """The exit code of an outcome."""
    from ..graph.stop import ADVICE, StopReason

    if status == "waiting":
        return WAITING
    if status == "answered":
        return ANSWERED
    machinery = stop_reason is not None and ADVICE[StopReason(stop_reason)].machinery
    return MACHINERY if machinery else STOPPED


def print_json(document: Any) -> None:
    """Exactly one JSON document on stdout. Lone surrogates are escaped, NaN cannot occur."""
    sys.stdout.write(json.dumps(document, indent=2, allow_nan=False) + "\n")


def fail(message: str, code: int, *, as_json: bool) -> NoReturn:
    """End with a message for a person on stderr, or as the one JSON document."""
    if as_json:
        print_json({"error": message, "exit_code": code})
    else:
        print(f"fumehood: {message}", file=sys.stderr)
    sys.exit(code)


@contextmanager
def explained(*, as_json: bool) -> Iterator[None]:
    """Known errors end with their message and code; anything else is a defect and keeps its traceback."""
    from ..graph.errors import GraphError, ModelError, SettingsInvalid, StoreError
    from ..policies.errors import GateUnavailable, PolicyInvalid, PolicyUnreadable
    from ..sandbox.errors import SandboxError

    try:
        yield
    except (SettingsInvalid, StoreError, PolicyUnreadable, ValueError) as error:
        fail(str(error), WRONG_USE, as_json=as_json)
    except (PolicyInvalid, GateUnavailable, SandboxError, ModelError, GraphError) as error:
        fail(str(error), MACHINERY, as_json=as_json)
