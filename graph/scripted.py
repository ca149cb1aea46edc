"""A model that says what it was told to say: for tests of your own, without a recording file."""

from collections.abc import Callable, Sequence
from typing import Any

from .chat import Purpose, Reply
from .errors import ModelUnavailable
from .state import Message, Usage


class ScriptedChat:
    """Plays `programs` (and `plans`) in order and keeps what it was asked in `prompts`.

    A reply is a text or a whole Reply. Without plans the planner's default plan serves. Raises ModelUnavailable when the
    programs run out.
    """

    label = "scripted"
    recorded = False

    def __init__(self, programs: Sequence[str | Reply], plans: Sequence[str | Reply] = ()) -> None:
        self._replies: dict[str, list[str | Reply]] = {"program": list(programs), "plan": list(plans)}
        self.prompts: dict[str, list[list[Message]]] = {"program": [], "plan": [], "explain": []}

    def unavailable(self) -> str | None:
        return None

    def ask(self, messages: Sequence[Message], *, purpose: Purpose, schema: dict[str, Any] | None = None,
            on_token: Callable[[str], None] | None = None, index: int | None = None) -> Reply:
        number = len(self.prompts[purpose]) if index is None else index
        self.prompts[purpose].append(list(messages))
        replies = self._replies.get(purpose, [])
        if number >= len(replies):
            if purpose == "plan":
                return Reply(finish_reason="absent", model=self.label)
            raise ModelUnavailable(f"the script has {len(replies)} {purpose} replies, and reply {number + 1} was asked for")
        said = replies[number]
        reply = said if isinstance(said, Reply) else Reply(text=said, usage=Usage(calls=1), model=self.label)
        if on_token:
            on_token(reply.text)
        return reply
