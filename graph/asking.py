"""Ask a model once: a reply that was written down is never paid for again when a node runs a second time."""

from collections.abc import Sequence
from typing import Any

from langgraph.runtime import Runtime

from ..policies.verdict import sha256_json
from .chat import Purpose, Reply
from .live import Live
from .state import Message


def ask_once(run_id: str, key: str, messages: Sequence[Message], runtime: Runtime[Live], *, purpose: Purpose,
             schema: dict[str, Any] | None = None, index: int | None = None) -> Reply:
    """The recorded reply of this run and key, else a new one. Raises ModelError; tokens go to the custom stream."""
    live = runtime.context
    runtime.stream_writer({"event": "model_called", "purpose": purpose, "model": live.chat.label,
                           "recorded": live.chat.recorded})

    def make() -> str:
        def on_token(text: str) -> None:
            runtime.stream_writer({"event": "token", "purpose": purpose, "text": text})

        with live.telemetry.chat(live.chat.label, purpose=purpose) as noted:
            reply = live.chat.ask(messages, purpose=purpose, schema=schema, on_token=on_token, index=index)
            noted.note(gen_ai__response__model=reply.model or None,
                       gen_ai__response__finish_reasons=[reply.finish_reason],
                       gen_ai__usage__input_tokens=reply.usage.input_tokens,
                       gen_ai__usage__output_tokens=reply.usage.output_tokens)
        live.store.audit.append(run_id, "model_called", call=key, purpose=purpose, model=reply.model or live.chat.label,
                                prompt_sha256=sha256_json([message.model_dump() for message in messages]),
                                input_tokens=reply.usage.input_tokens, output_tokens=reply.usage.output_tokens)
        return reply.model_dump_json()

    return Reply.model_validate_json(live.store.once(run_id, f"model:{key}", make))
