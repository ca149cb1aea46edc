"""What can be learned from a model server without a paid call: its models, whether it answers, the context window."""

import re
from typing import Any

from .endpoint import Answer, Endpoint, call

START = {
    "ollama": "start it with `ollama serve`, or set OLLAMA_HOST",
    "vllm": "start it with `vllm serve NAME`, or set VLLM_BASE_URL",
    "llamacpp": "start it with `llama-server -m FILE.gguf`, or set LLAMACPP_BASE_URL",
    "lmstudio": "start its server (Developer tab, or `lms server start`), or set LMSTUDIO_BASE_URL",
    "openai": "check OPENAI_BASE_URL and the network",
}
NAMES = {"ollama": "Ollama", "vllm": "vLLM", "llamacpp": "llama.cpp", "lmstudio": "LM Studio", "openai": "server"}
_OLLAMA_DEFAULT_WINDOW = 4096
"""Ollama's own default where neither the model nor a loaded copy says otherwise. Longer prompts are cut silently."""


def models_of(endpoint: Endpoint, timeout_s: float = 5.0) -> tuple[list[str], Answer]:
    """Names of the served models, and the server's answer."""
    answer = call(endpoint, f"{endpoint.url}/models", timeout_s=timeout_s)
    listed = answer.body.get("data") if isinstance(answer.body, dict) else None
    names = [str(item["id"]) for item in listed or [] if isinstance(item, dict) and "id" in item]
    return names, answer


def trouble_with(endpoint: Endpoint) -> str | None:
    """Why a call cannot be tried and the way out, or null. Asks the server for its models only."""
    if endpoint.own:
        answer = call(endpoint, f"{endpoint.url}/models/{endpoint.model}", timeout_s=10.0)
        if answer.status == 404:
            return unknown_model(endpoint, [])
        return answered_badly(endpoint, answer)
    names, answer = models_of(endpoint)
    problem = answered_badly(endpoint, answer)
    if problem:
        return problem
    if endpoint.local and names and not served(endpoint.model, names):
        return unknown_model(endpoint, names)
    if endpoint.kind == "ollama" and answer.status == 200 and not names:
        return f"Ollama at {endpoint.root} has no model yet: `ollama pull {endpoint.model or 'qwen2.5'}`"
    return None


def answered_badly(endpoint: Endpoint, answer: Answer) -> str | None:
    """In words, what a server's answer says against using it; null where nothing does."""
    if answer.status == 0:
        return server_down(endpoint, answer.problem)
    if answer.status in (401, 403):
        return wrong_key(endpoint, answer.status)
    return None


def server_down(endpoint: Endpoint, problem: str) -> str:
    where = "api.openai.com" if endpoint.own else endpoint.url
    way = "check the network and any proxy" if endpoint.own else START[endpoint.kind]
    return f"no {NAMES[endpoint.kind]} answers at {where} ({problem}); {way}"


def wrong_key(endpoint: Endpoint, status: int) -> str:
    variable = {"ollama": "OLLAMA_API_KEY", "openai": "OPENAI_API_KEY"}.get(endpoint.kind,
                                                                           f"{endpoint.kind.upper()}_API_KEY")
    where = "OpenAI" if endpoint.own else endpoint.url
    what = "does not accept the key" if status == 401 else "forbids this key the model"
    return f"{where} {what} (HTTP {status}); set {variable} to a valid one"


def unknown_model(endpoint: Endpoint, names: list[str]) -> str:
    """The message for a model that the server does not have."""
    if endpoint.kind == "ollama":
        have = f"; pulled are: {', '.join(names[:10])}" if names else ""
        return f"{endpoint.model!r} is not pulled: `ollama pull {endpoint.model}`{have}"
    where = "OpenAI" if endpoint.own else endpoint.url
    have = f"it has: {', '.join(names[:10])}" if names else "check the name, and that the key may use it"
    return f"{where} has no model {endpoint.model!r}; {have}"


def served(model: str, names: list[str]) -> bool:
    """Whether a model is among a server's; Ollama's names have a tag that may be left out."""
    return not model or model in names or any(name.partition(":")[0] == model for name in names)


def window_of(endpoint: Endpoint) -> int | None:
    """The context window in tokens as the server has it now, or null where it does not say."""
    if endpoint.kind == "ollama":
        return _ollama_window(endpoint)
    if endpoint.kind == "llamacpp":
        return _integer(call(endpoint, f"{endpoint.root}/props").body, "default_generation_settings", "n_ctx")
    if endpoint.kind == "lmstudio":
        body = call(endpoint, f"{endpoint.root}/api/v0/models/{endpoint.model}").body
        return _integer(body, "loaded_context_length") or _integer(body, "max_context_length")
    if endpoint.kind == "vllm":
        body = call(endpoint, f"{endpoint.url}/models").body
        for item in (body.get("data") or []) if isinstance(body, dict) else []:
            if isinstance(item, dict) and item.get("id") == endpoint.model:
                return _integer(item, "max_model_len")
    return None


def _ollama_window(endpoint: Endpoint) -> int | None:
    loaded = call(endpoint, f"{endpoint.root}/api/ps").body
    for item in (loaded.get("models") or []) if isinstance(loaded, dict) else []:
        if isinstance(item, dict) and served(endpoint.model, [str(item.get("name", ""))]):
            window = _integer(item, "context_length")
            if window:
                return window
    answer = call(endpoint, f"{endpoint.root}/api/show", body={"model": endpoint.model})
    if answer.status != 200 or not isinstance(answer.body, dict):
        return None
    parameters = answer.body.get("parameters")
    found = re.search(r"^num_ctx\s+(\d+)\s*$", parameters, re.MULTILINE) if isinstance(parameters, str) else None
    return int(found[1]) if found else _OLLAMA_DEFAULT_WINDOW


def _integer(body: Any, *path: str) -> int | None:
    for name in path:
        body = body.get(name) if isinstance(body, dict) else None
    return body if isinstance(body, int) and not isinstance(body, bool) and body > 0 else None
