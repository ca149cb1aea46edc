"""Ask a model once: a reply that was written down is never paid for again when a node runs a second time."""

from collections.abc import Sequence
from typing import Any

from langgraph.runtime import Runtime

from ..policies.verdict import sha256_json
from .chat import Purpose, Reply
from .errors import ContextTooLong
from .interrupting import stop_if_over, within
from .live import Live
from .observation import shrink
from .prompts import prompts_sha256
from .state import Message

_SHORTENED = 3
"""How often a prompt is shortened before the model's window counts as too small."""
_LEAST_CHARS = 3000
"""Rules and task cut to less are none."""


def ask_within(run_id: str, key: str, messages: Sequence[Message], runtime: Runtime[Live], *, purpose: Purpose,
               schema: dict[str, Any] | None = None, index: int | None = None,
               until: float | None = None) -> tuple[Reply, list[Message]]:
    """The reply, and the messages as they were sent: shortened where the model's window is smaller than they are.

    Raises ContextTooLong where no shortening helps, TimeOver where there is no whole reply at `until` (Unix time),
    ModelError else.
    """
    sent = list(messages)
    for left in range(_SHORTENED, -1, -1):
        try:
            return ask_once(run_id, key, sent, runtime, purpose=purpose, schema=schema, index=index,
                            until=until), sent
        except ContextTooLong as error:
            room = int(_size(sent) * _share(error))
            if not left or room < _LEAST_CHARS:
                raise
            sent = shrink(sent, room)
    raise AssertionError


def _size(messages: Sequence[Message]) -> int:
    return sum(len(message.content) for message in messages)


def _share(error: ContextTooLong) -> float:
    """How much of the prompt may stay: a third of a known window is left for the reply."""
    if error.window and error.prompt_tokens:
        return min(0.8, 0.66 * error.window / error.prompt_tokens)
    return 0.5


def ask_once(run_id: str, key: str, messages: Sequence[Message], runtime: Runtime[Live], *, purpose: Purpose,
             schema: dict[str, Any] | None = None, index: int | None = None, until: float | None = None) -> Reply:
    """The recorded reply of this run and key, else a new one. Raises ModelError, TimeOver; tokens are streamed."""
    live = runtime.context
    runtime.stream_writer({"event": "model_called", "purpose": purpose, "model": live.chat.label,
                           "recorded": live.chat.recorded})

    def make() -> str:
        def on_token(text: str) -> None:
            stop_if_over()
            runtime.stream_writer({"event": "token", "purpose": purpose, "text": text})

        with live.telemetry.chat(live.chat.label, purpose=purpose) as noted, within(until):
            reply = live.chat.ask(messages, purpose=purpose, schema=schema, on_token=on_token, index=index)
            noted.note(gen_ai__response__model=reply.model or None,
                       gen_ai__response__finish_reasons=[reply.finish_reason],
                       gen_ai__usage__input_tokens=reply.usage.input_tokens,
                       gen_ai__usage__output_tokens=reply.usage.output_tokens)
        live.store.audit.append(run_id, "model_called", call=key, purpose=purpose, model=reply.model or live.chat.label,
                                prompts_sha256=prompts_sha256(),
                                prompt_sha256=sha256_json([message.model_dump() for message in messages]),
                                input_tokens=reply.usage.input_tokens, output_tokens=reply.usage.output_tokens)
        return reply.model_dump_json()

    return Reply.model_validate_json(live.store.once(run_id, f"model:{key}", make))
