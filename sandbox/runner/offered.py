"""The two names that a program finds beside Python's own: `final_answer(value)` and `tools`."""

import builtins
import datetime
import json
import os
import threading
from collections.abc import Callable
from typing import Any, NoReturn

from . import link
from .delivered import plain


class ToolError(Exception):
    """A tool refused, failed, or is not there. The text says which."""


def offer(end: link.ChildEnd, tools: list[str], answer_bytes: int) -> None:
    """Put both names where every module of the program sees them."""
    line = _Line(end)
    builtins.final_answer = _final_answer(line, answer_bytes)  # type: ignore[attr-defined]
    builtins.tools = Tools(line, tools)  # type: ignore[attr-defined]
    builtins.ToolError = ToolError  # type: ignore[attr-defined]


class _Line:
    """The link as program code may use it: from any thread, but only in the process that it was given to."""

    def __init__(self, end: link.ChildEnd) -> None:
        self._end = end
        self._owner = os.getpid()
        self._lock = threading.Lock()

    def send(self, kind: bytes, payload: bytes, what: str) -> None:
        self._check(what)
        with self._lock:
            self._write(kind, payload, what)

    def ask(self, kind: bytes, payload: bytes, what: str) -> bytes:
        self._check(what)
        with self._lock:  # one call at a time, so the next reply is this call's
            self._write(kind, payload, what)
            reply = self._end.receive()
        if reply is None:
            raise ToolError(f"{what}: the sandbox is ending")
        return reply[1]

    def _check(self, what: str) -> None:
        if os.getpid() != self._owner:
            raise RuntimeError(f"{what} works in the program's first process only; hand the value back to it")

    def _write(self, kind: bytes, payload: bytes, what: str) -> None:
        try:
            self._end.send_bytes(kind, payload)
        except OSError as error:
            raise RuntimeError(f"{what}: its channel was closed by the program ({error.strerror})") from None


def _final_answer(line: _Line, answer_bytes: int) -> Callable[[Any], None]:
    def final_answer(value: Any) -> None:
        """Deliver the result: any JSON value; numpy, pandas and dates are converted. The last call counts."""
        try:
            text = json.dumps(plain(value), allow_nan=False, default=_refuse, ensure_ascii=False)
        except ValueError as error:
            raise ValueError(f"final_answer(): {_explain(error)}") from None
        payload = text.encode("utf-8", "surrogatepass")
        try:
            payload.decode("utf-8")
        except UnicodeDecodeError:
            raise ValueError("final_answer(): a text in it holds lone surrogates, which no JSON document can") from None
        if len(payload) > answer_bytes:
            raise ValueError(f"final_answer(): the value is {len(payload)} bytes as JSON, the limit is {answer_bytes}; "
                             "deliver a summary and write the rest to a file")
        if link.values_in(payload) > link.MOST_VALUES:
            raise ValueError(f"final_answer(): the value holds more than {link.MOST_VALUES} values; deliver a summary and "
                             "write the rest to a file")
        line.send(link.ANSWER, payload, "final_answer()")

    return final_answer


def _explain(error: ValueError) -> str:
    if "Out of range float" in str(error):
        return "NaN and Infinity are not JSON; use None, or a text that says what is missing"
    return str(error)


def _refuse(value: object) -> NoReturn:
    kind = type(value)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    root = kind.__module__.partition(".")[0]
    hint = "convert it to dict, list, str, int, float, bool or None"
    if root == "numpy":
        hint = "use .tolist()" if getattr(value, "shape", ()) else "use .item()"
    elif root == "pandas" and hasattr(value, "isoformat"):
        hint = "use .isoformat()"
    elif root == "pandas":
        hint = "use .to_dict() or .tolist() with plain Python values"
    elif isinstance(value, (datetime.date, datetime.time)):
        hint = "use .isoformat()"
    elif name == "decimal.Decimal":
        hint = "use str() to keep every digit, or float()"
    elif isinstance(value, (set, frozenset)):
        hint = "use sorted() or list()"
    raise TypeError(f"final_answer(): {name} is not JSON; {hint}")


class Tools:
    """`tools.name(...)` asks the operator's function of that name, outside of the sandbox."""

    def __init__(self, line: _Line, names: list[str]) -> None:
        self.__line = line
        self.__names = names

    def __dir__(self) -> list[str]:
        return list(self.__names)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in self.__names:
            known = ", ".join(self.__names) or "none"
            raise AttributeError(f"there is no tool {name!r}; tools of this task: {known}")

        def call(*args: Any, **kwargs: Any) -> Any:
            try:
                payload = json.dumps({"name": name, "args": args, "kwargs": kwargs}, allow_nan=False).encode()
            except (TypeError, ValueError) as error:
                raise TypeError(f"tools.{name}(): its arguments must be JSON values: {error}") from None
            if len(payload) > link.CALL_BYTES:
                raise ValueError(f"tools.{name}(): its arguments are {len(payload)} bytes as JSON, "
                                 f"the limit is {link.CALL_BYTES}")
            reply = json.loads(self.__line.ask(link.CALL, payload, f"tools.{name}()"))
            if "error" in reply:
                raise ToolError(reply["error"])
            return reply["value"]

        return call
