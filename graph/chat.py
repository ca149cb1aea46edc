"""What the nodes need of a model: messages in, one reply out."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict

from .plain import PlainText
from .state import Message, Usage

Purpose = Literal["plan", "program", "explain"]


class ToolRequest(BaseModel):
    """A tool call of a reply, its arguments as the raw text that came."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: PlainText
    arguments: PlainText


class Reply(BaseModel):
    """One reply of a model."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: PlainText = ""
    finish_reason: str = "stop"
    """As the server says it; `length` means the reply was cut. `unknown` where the server said nothing; `absent` where
    a recording or a person gives no reply of this purpose, so that the caller takes its default."""
    tool_calls: list[ToolRequest] = []
    usage: Usage = Usage()
    model: str = ""
    warnings: list[PlainText] = []


class Chat(Protocol):
    """A model that can be asked."""

    label: str
    """As a person named it: `openai:NAME`, `recording:FILE`."""
    recorded: bool
    """True for a recording: said wherever the answer is shown."""

    def unavailable(self) -> str | None:
        """Null when a call can be tried, else what is missing and the way out. Makes no paid call."""

    def ask(self, messages: Sequence[Message], *, purpose: Purpose, schema: dict[str, Any] | None = None,
            on_token: Callable[[str], None] | None = None, index: int | None = None) -> Reply:
        """One reply. `schema`: the JSON Schema that a structured reply should have, where the endpoint can hold it.

        `index`: how many replies of this purpose the run had before; a recording plays the entry of this number, also
        in a new process. Null: the number of assistant turns in the messages.
        Raises ModelUnavailable or ContextTooLong.
        """
