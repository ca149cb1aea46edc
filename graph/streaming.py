"""One streamed reply of a LangChain chat model, put together; and the loop that asks again when a call fails."""

import random
import re
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .chat import ToolRequest
from .errors import GraphError, ModelUnavailable
from .state import Message
from .trouble import CallFailed, Trouble

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage, BaseMessageChunk

LONGEST_REPLY = 1_000_000
"""Characters of text and of tool arguments; a model that goes on is cut, as by its own token limit."""
_REPEATED = 1500
"""Characters that are one short unit over and over: a small model that fell into a loop and will not leave it."""
_LONGEST_UNIT = 300
_DENSEST = 0.05
"""Text that shrinks to less is one unit over and over as well, with a counter in it."""
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*$", re.M)
_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 20.0
_HANGS = 1
"""A server that hangs is asked once more only: each hang costs the whole time-out."""
_LOADING_PAUSE_S = 2.0


@dataclass(slots=True)
class Gathered:
    """What the pieces of a reply add up to."""

    text: str = ""
    finish_reason: str = ""
    tool_calls: list[ToolRequest] = field(default_factory=list)
    input_tokens: int = 0
    output_tokens: int = 0
    model: str = ""
    notes: list[str] = field(default_factory=list)
    """What was done to the reply."""
    asked_again: list[str] = field(default_factory=list)
    """Why calls before this one gave no reply."""

    @property
    def nothing(self) -> bool:
        """True where no choice was in the answer at all."""
        return not (self.text or self.finish_reason or self.tool_calls)


class _Pieces:
    def __init__(self) -> None:
        self.size = 0
        self.texts: list[str] = []
        self.calls: dict[object, list[str]] = {}
        self.whole = Gathered()
        self._last: object = None
        self._looked = 0

    def add(self, chunk: "BaseMessageChunk") -> str:
        text = str(chunk.text)
        self.texts.append(text)
        self.size += len(text)
        for call in getattr(chunk, "tool_call_chunks", None) or []:
            self._add_call(call.get("index"), call.get("id"), call.get("name") or "", call.get("args") or "")
        usage = getattr(chunk, "usage_metadata", None)
        if usage:
            self.whole.input_tokens = max(self.whole.input_tokens, int(usage.get("input_tokens") or 0))
            self.whole.output_tokens = max(self.whole.output_tokens, int(usage.get("output_tokens") or 0))
        meta = chunk.response_metadata
        reason = meta.get("finish_reason") or meta.get("stop_reason")
        details = meta.get("incomplete_details")
        if isinstance(details, dict) and details.get("reason"):
            reason = {"max_output_tokens": "length"}.get(str(details["reason"]), str(details["reason"]))
        elif meta.get("status") == "completed":
            reason = reason or "stop"
        if reason:
            self.whole.finish_reason = {"max_tokens": "length", "MAX_TOKENS": "length"}.get(str(reason), str(reason))
        self.whole.model = str(meta.get("model_name") or meta.get("model") or self.whole.model)
        return text

    def _add_call(self, index: object, call_id: str | None, name: str, arguments: str) -> None:
        """Servers number the pieces of a call, or name the call, or neither: then a piece belongs to the last one."""
        key = index if index is not None else (call_id or self._last or 0)
        self._last = key
        known = self.calls.setdefault(key, ["", ""])
        known[0] = known[0] or name
        known[1] += arguments
        self.size += len(arguments)

    def in_a_loop(self) -> bool:
        """Whether the newest text is one unit repeated; looked at once per `_REPEATED` characters."""
        if self.size - self._looked < _REPEATED or not self.texts:
            return False
        self._looked = self.size
        tail, place = "", len(self.texts)
        while place and len(tail) < _REPEATED:
            place -= 1
            tail = self.texts[place] + tail
        tail = tail[-_REPEATED:]
        before = tail.rfind(tail[-_LONGEST_UNIT:], 0, -1)
        unit = len(tail) - _LONGEST_UNIT - before
        if len(tail) == _REPEATED and len(zlib.compress(tail.encode("utf-8", "replace"))) < _REPEATED * _DENSEST:
            return True
        return len(tail) == _REPEATED and before != -1 and unit <= _LONGEST_UNIT and tail[unit:] == tail[:-unit]

    def done(self) -> Gathered:
        self.whole.text = "".join(self.texts)
        self.whole.tool_calls = [ToolRequest(name=name, arguments=arguments)
                                 for name, arguments in self.calls.values()]
        return self.whole


def gather(chunks: "Iterator[BaseMessageChunk]", explain: Callable[[Exception], Trouble | None],
           on_token: Callable[[str], None] | None) -> Gathered:
    """The whole reply; each piece of text goes to `on_token` as it comes.

    Raises CallFailed for what `explain` knows. What it does not know, and what `on_token` raises, passes through.
    """
    pieces = _Pieces()
    while True:
        try:
            chunk = next(chunks)
        except StopIteration:
            return pieces.done()
        except GraphError:  # of the run itself: interrupted, or out of time
            raise
        except Exception as error:
            trouble = explain(error)
            if trouble is None:
                raise
            raise CallFailed(trouble) from error
        text = pieces.add(chunk)
        if text and on_token is not None:
            on_token(text)
        if pieces.size > LONGEST_REPLY or pieces.in_a_loop():
            close = getattr(chunks, "close", None)
            if close is not None:
                close()
            pieces.whole.finish_reason = "length"
            return pieces.done() if pieces.size > LONGEST_REPLY else _before_loop(pieces.done())


def _before_loop(whole: Gathered) -> Gathered:
    """The reply without the repetition at its end. Where that is all that stands below code blocks which were all closed,
    the reply was whole: a model in a loop says nothing more."""
    fences = list(_FENCE.finditer(whole.text))
    if whole.tool_calls or not fences or len(fences) % 2:
        return whole
    end = fences[-1].end()
    tail = whole.text[end:].encode("utf-8", "replace")
    if len(tail) > _REPEATED // 2 and len(zlib.compress(tail)) < len(tail) * 2 * _DENSEST:
        whole.text, whole.finish_reason = whole.text[:end] + "\n", "stop"
        whole.notes.append("the reply repeated itself without end after its program; it was ended there")
    return whole


def ask_with_retries(call: Callable[[], Gathered], *, retries: int, longest_wait_s: float, load_s: float,
                     pause: Callable[[float], None], on_token: Callable[[str], None] | None = None) -> Gathered:
    """The reply of the first call that succeeds. Pauses double; a server's Retry-After is honoured.

    A server that still loads its model is waited for up to `load_s` beside the retries. Raises CallFailed.
    """
    failures: list[str] = []
    hangs, loads_until = 0, time.monotonic() + load_s
    while True:
        try:
            reply = call()
        except CallFailed as failure:
            trouble = failure.trouble
            if not trouble.error.retryable:
                raise
            if trouble.loading and time.monotonic() < loads_until:
                pause(_LOADING_PAUSE_S)
                continue
            hangs += trouble.hang
            if len(failures) >= retries or hangs > _HANGS:
                raise
            if trouble.wait_s is not None and trouble.wait_s > longest_wait_s:
                raise CallFailed(Trouble(ModelUnavailable(
                    f"{trouble.error} (it asks to wait {trouble.wait_s:.0f} s)", retryable=True), trouble.status,
                    trouble.said)) from failure
            backoff = min(_LONGEST_PAUSE_S, _FIRST_PAUSE_S * 2 ** len(failures)) * random.uniform(0.75, 1.25)
            failures.append(str(trouble.error))
            if on_token is not None:
                on_token(f"\n[asking again: {trouble.error}]\n")
            pause(max(backoff, trouble.wait_s or 0.0))
        else:
            reply.asked_again = failures
            return reply


def as_langchain(messages: Sequence[Message], *, system_role: bool = True) -> "list[BaseMessage]":
    """The conversation for LangChain: neighbours of one role joined, since chat templates insist on taking turns."""
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

    kinds: dict[str, type[BaseMessage]] = {"system": SystemMessage, "user": HumanMessage, "assistant": AIMessage}
    turns: list[tuple[str, str]] = []
    for message in messages:
        role = "user" if message.role == "system" and not system_role else message.role
        if turns and turns[-1][0] == role:
            turns[-1] = (role, f"{turns[-1][1]}\n\n{message.content}")
        else:
            turns.append((role, message.content))
    return [kinds[role](content=content) for role, content in turns]


def estimated_tokens(messages: Sequence[Message], bytes_per_token: float) -> int:
    """A guess before the server has counted: bytes, so that scripts with more tokens per letter weigh more."""
    return int(sum(len(message.content.encode("utf-8", "replace")) + 12 for message in messages) / bytes_per_token) + 1
