"""From the name of a model to a Chat."""

import os
from collections.abc import Mapping
from typing import get_args

from .chat import Chat
from .endpoint import WAYS_OUT, Endpoint, Kind, call, endpoint_for
from .errors import ModelUnavailable
from .fallback import FallbackChat
from .langchain_chat import named_chat_model, wrap_chat_model
from .local_servers import models_of
from .openai_chat import OpenAIChat
from .paste import PasteChat
from .recording import RecordedChat, Recorder
from .settings import Settings

__all__ = ["OPENAI_MODELS", "chat_named", "default_chat", "open_chat", "wrap_chat_model"]

OPENAI_MODELS = ("gpt-6.1-sol", "gpt-6-sol", "gpt-5.6", "gpt-5.5", "gpt-5.4", "gpt-5.2", "gpt-5", "gpt-4.1")
"""Taken in this order where a key is set and no model is named: good at code at a middle price. The first that the key
may use; the first of all where the server does not list its models."""


def open_chat(name: str | None, settings: Settings) -> Chat:
    """The model of that name, with the settings' fallback behind it and its replies recorded where that is asked for.

    Names: `openai:NAME`, `ollama:NAME`, `vllm:NAME`, `llamacpp:NAME`, `lmstudio:NAME`, `recording:FILE`, `paste`, and
    what LangChain's `init_chat_model` knows. Without a name: an OpenAI model where a key is set, else Ollama's first.
    Raises ModelUnavailable with the ways out.
    """
    chat = chat_named(name, settings) if name else default_chat(settings)
    if settings.fallback_model:
        chat = FallbackChat([chat, chat_named(settings.fallback_model, settings)])
    return Recorder(chat, settings.record) if settings.record else chat


def chat_named(name: str, settings: Settings) -> Chat:
    """One model by its name, without fallback. Raises ModelUnavailable where the name or the environment is wrong."""
    kind, colon, rest = name.strip().partition(":")
    if name.strip() == "paste":
        return PasteChat()
    if not colon:
        return named_chat_model(name.strip(), settings)
    if kind == "recording":
        if not rest:
            raise ModelUnavailable("recording: needs a file, such as recording:replies.json")
        return RecordedChat(rest)
    for known in get_args(Kind):
        if kind == known:
            return OpenAIChat(endpoint_for(known, rest), settings)
    return named_chat_model(name.strip(), settings)


def default_chat(settings: Settings, environment: Mapping[str, str] | None = None) -> Chat:
    """The model when none is named. Raises ModelUnavailable that names every way to have one."""
    env = os.environ if environment is None else environment
    if env.get("OPENAI_BASE_URL", "").strip():
        # The server of one's own names its model itself, at the first call.
        return OpenAIChat(endpoint_for("openai", "", env), settings)
    if env.get("OPENAI_API_KEY", "").strip():
        return OpenAIChat(endpoint_for("openai", _openai_model(endpoint_for("openai", "", env)), env), settings)
    ollama = endpoint_for("ollama", "", env)
    pulled, answer = models_of(ollama, timeout_s=2.0)
    if pulled:
        return OpenAIChat(endpoint_for("ollama", _first_pulled(ollama, pulled), env), settings)
    if answer.status == 200:
        raise ModelUnavailable(f"Ollama answers at {ollama.root} but has no model: "
                               f"`ollama pull qwen2.5`; or {WAYS_OUT}")
    raise ModelUnavailable(f"no model is named, no key is set, and no Ollama answers at {ollama.root}; {WAYS_OUT}")


def _openai_model(endpoint: Endpoint) -> str:
    names, _ = models_of(endpoint, timeout_s=10.0)
    return next((name for name in OPENAI_MODELS if name in names), OPENAI_MODELS[0])


def _first_pulled(endpoint: Endpoint, pulled: list[str]) -> str:
    """The first model that can chat: Ollama lists those for embeddings, too."""
    for name in pulled:
        body = call(endpoint, f"{endpoint.root}/api/show", body={"model": name}).body
        abilities = body.get("capabilities") if isinstance(body, dict) else None
        if not isinstance(abilities, list) or "completion" in abilities:
            return name
    return pulled[0]
