"""A second model for when the first gives no reply."""

from collections.abc import Callable, Sequence
from typing import Any

from .chat import Chat, Purpose, Reply
from .errors import ModelUnavailable
from .state import Message


class FallbackChat:
    """Asks models in their order until one replies. A prompt that is too long for one is the caller's to shorten."""

    def __init__(self, chats: Sequence[Chat]) -> None:
        self._chats = list(chats)
        self.label = self._chats[0].label
        self.recorded = self._chats[0].recorded
        self._given_up: dict[int, str] = {}
        """Models whose failure does not pass by itself, by place; they are not asked again in this process."""

    def unavailable(self) -> str | None:
        problems = []
        for chat in self._chats:
            problem = chat.unavailable()
            if problem is None:
                return None
            problems.append(problem)
        return "; and the fallback: ".join(problems)

    def ask(self, messages: Sequence[Message], *, purpose: Purpose, schema: dict[str, Any] | None = None,
            on_token: Callable[[str], None] | None = None, index: int | None = None) -> Reply:
        """The first reply to be had; its warnings say which models gave none. Raises ModelUnavailable."""
        problems: list[str] = []
        retryable = False
        for place, chat in enumerate(self._chats):
            if place in self._given_up:
                problems.append(self._given_up[place])
                continue
            try:
                reply = chat.ask(messages, purpose=purpose, schema=schema, on_token=on_token, index=index)
            except ModelUnavailable as error:
                problems.append(str(error))
                retryable = retryable or error.retryable
                if not error.retryable:
                    self._given_up[place] = str(error)
                continue
            warnings = [f"{chat.label} was asked instead, since {problem}" for problem in problems]
            return reply.model_copy(update={"warnings": [*warnings, *reply.warnings]})
        raise ModelUnavailable("; and the fallback: ".join(problems), retryable=retryable)
