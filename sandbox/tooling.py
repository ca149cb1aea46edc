"""Tools called from code: the operator's functions, asked for by a program inside, answered on the host, written down."""

import inspect
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError, validate_call

from .evidence import ToolCall

RESULT_BYTES = 1024 * 1024
_SHOWN = 500
_ARGUMENTS = 2000

Tool = Callable[..., Any]
Permit = Callable[[str, dict[str, Any]], str | None]
"""Asked before each call with the tool's name and arguments: null lets it go on, a text refuses it and says why."""


@dataclass(slots=True)
class ToolDesk:
    """Answers the tool calls of one run. A refusal and a failure are answers that the program sees as ToolError."""

    tools: Mapping[str, Tool]
    permit: Permit | None = None
    budget: int = 100
    """Calls in one run."""
    calls: list[ToolCall] = field(default_factory=list)

    def answer(self, message: dict[str, Any]) -> dict[str, Any]:
        """The reply for the program: `{"value": …}` or `{"error": text}`."""
        name, started = str(message["name"]), time.monotonic()
        arguments, refusal = self._admit(name, list(message["args"]), dict(message["kwargs"]))
        if refusal is not None:
            return self._note(name, arguments, "refused", refusal, started)
        try:
            value = validate_call(self.tools[name])(*message["args"], **message["kwargs"])
            text = json.dumps(value, allow_nan=False)
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False, include_input=False)[0]
            where = ".".join(str(part) for part in first["loc"])
            return self._note(name, arguments, "refused", f"{where}: {first['msg']}", started)
        # The operator's function may raise anything; to the program it is a failed call, never the run's end.
        except Exception as error:
            return self._note(name, arguments, "raised", f"{type(error).__name__}: {error}", started)
        if len(text) > RESULT_BYTES:
            return self._note(name, arguments, "raised",
                              f"its result is {len(text)} bytes as JSON, the limit is {RESULT_BYTES}", started)
        self._note(name, arguments, "returned", "", started)
        return {"value": json.loads(text)}

    def _admit(self, name: str, args: list[Any], kwargs: dict[str, Any]) -> tuple[dict[str, Any], str | None]:
        if name not in self.tools:
            return {}, "there is no such tool"
        if len(self.calls) >= self.budget:
            return {}, f"the budget of {self.budget} tool calls is used up"
        try:
            arguments = dict(inspect.signature(self.tools[name]).bind(*args, **kwargs).arguments)
        except TypeError as error:
            return {}, str(error)
        return arguments, self.permit(name, arguments) if self.permit is not None else None

    def _note(self, name: str, arguments: dict[str, Any], outcome: Any, message: str, started: float,
              ) -> dict[str, Any]:
        shown = json.dumps(arguments, default=repr)
        shown = shown if len(shown) <= _ARGUMENTS else f"{shown[:_ARGUMENTS - 1]}…"
        # What is beyond the budget is counted once, not once per call of a loop.
        if len(self.calls) <= self.budget:
            self.calls.append(ToolCall(name=name, arguments=shown, outcome=outcome, message=message[:_SHOWN],
                                       wall_s=round(time.monotonic() - started, 6)))
        return {"error": f"tools.{name}(): {message}"}
