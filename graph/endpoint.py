"""Where a model is served: address, key and kind, from a name like `ollama:qwen2.5` and the environment."""

import json
import os
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

from .errors import ModelUnavailable
from .redact import without_secrets

Kind = Literal["openai", "ollama", "vllm", "llamacpp", "lmstudio"]

OPENAI_URL = "https://api.openai.com/v1"
WAYS_OUT = ("set OPENAI_API_KEY (and OPENAI_BASE_URL for another server); or start Ollama and `ollama pull qwen2.5`; "
            "or name a model: --model ollama:NAME, vllm:NAME, llamacpp:NAME, lmstudio:NAME, anthropic:NAME; "
            "or --model recording:FILE for recorded replies; or --model paste to use any chat by hand")
_DEFAULTS: dict[str, tuple[str, str]] = {
    "vllm": ("VLLM_BASE_URL", "http://localhost:8000/v1"),
    "llamacpp": ("LLAMACPP_BASE_URL", "http://localhost:8080/v1"),
    "lmstudio": ("LMSTUDIO_BASE_URL", "http://localhost:1234/v1"),
}
_UNUSED_KEY = "unused"
"""Local servers ignore the key, but the client wants one."""
_LARGEST_ANSWER = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One model on one server that speaks OpenAI's protocol."""

    kind: Kind
    url: str
    """Base address, ending in `/v1` or the like, without a slash at its end."""
    model: str
    """Empty: the server's first model."""
    key: str = ""
    own: bool = False
    """True for OpenAI itself, where no other address was given."""

    @property
    def label(self) -> str:
        return f"{self.kind}:{self.model}"

    @property
    def root(self) -> str:
        """The address without the protocol's own path, where servers keep their other calls."""
        return self.url.removesuffix("/v1")

    @property
    def loopback(self) -> bool:
        """On this machine: no proxy of the environment lies between."""
        host = urlsplit(self.url).hostname or ""
        return host == "localhost" or host == "::1" or host.startswith("127.")

    @property
    def local(self) -> bool:
        """A server that may have to load the model at its first call."""
        return self.kind != "openai" or self.loopback


def endpoint_for(kind: Kind, model: str, environment: Mapping[str, str] | None = None) -> Endpoint:
    """The endpoint of that kind. Raises ModelUnavailable for a bad address, or for OpenAI itself without a key."""
    env = os.environ if environment is None else environment
    if kind == "openai":
        url, key = env.get("OPENAI_BASE_URL", "").strip(), env.get("OPENAI_API_KEY", "").strip()
        if not url and not key:
            raise ModelUnavailable(f"openai:{model} needs a key and OPENAI_API_KEY is not set; {WAYS_OUT}")
        return Endpoint(kind=kind, url=_address(url or OPENAI_URL, "OPENAI_BASE_URL"), model=model,
                        key=key or _UNUSED_KEY, own=not url)
    if kind == "ollama":
        return Endpoint(kind=kind, url=f"{ollama_address(env)}/v1", model=model,
                        key=env.get("OLLAMA_API_KEY", "").strip() or _UNUSED_KEY)
    variable, default = _DEFAULTS[kind]
    key = env.get(f"{kind.upper()}_API_KEY", "").strip()
    return Endpoint(kind=kind, url=_address(env.get(variable, "").strip() or default, variable), model=model,
                    key=key or _UNUSED_KEY)


def ollama_address(environment: Mapping[str, str]) -> str:
    """Ollama's address as OLLAMA_HOST gives it: `host`, `host:port`, `:port` or a URL; by default this machine's."""
    given = environment.get("OLLAMA_HOST", "").strip().rstrip("/")
    if not given:
        return "http://localhost:11434"
    bare = "://" not in given
    parts = urlsplit(f"http://{given}" if bare else given)
    try:
        port = parts.port
    except ValueError as error:
        raise ModelUnavailable(f"OLLAMA_HOST={given!r} is no address: {error}; write host:port") from error
    if port is None:
        port = 11434 if bare else {"http": 80, "https": 443}.get(parts.scheme, 11434)
    host = parts.hostname or "localhost"
    if host in ("0.0.0.0", "::"):
        host = "localhost"
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}:{port}{parts.path.removesuffix('/v1')}"


def _address(given: str, variable: str) -> str:
    parts = urlsplit(given)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ModelUnavailable(f"{variable}={given!r} is no address; write it like http://localhost:8000/v1")
    return given.rstrip("/").removesuffix("/chat/completions")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server said to a plain request: status 0 where nothing answered."""

    status: int
    body: Any = None
    problem: str = ""


def call(endpoint: Endpoint, address: str, *, body: dict[str, Any] | None = None, timeout_s: float = 5.0) -> Answer:
    """GET, or POST of JSON, beside the chat itself: lists of models, facts about one. Never raises for an answer."""
    request = urllib.request.Request(address, headers={"Accept": "application/json"},
                                     data=None if body is None else json.dumps(body).encode())
    if body is not None:
        request.add_header("Content-Type", "application/json")
    if endpoint.key:
        request.add_unredirected_header("Authorization", f"Bearer {endpoint.key}")
    handlers = [urllib.request.ProxyHandler({})] if endpoint.loopback else []
    try:
        with urllib.request.build_opener(*handlers).open(request, timeout=timeout_s) as answer:
            return _read(answer.status, answer.read(_LARGEST_ANSWER))
    except urllib.error.HTTPError as error:
        with error:
            return _read(error.code, error.read(_LARGEST_ANSWER))
    except urllib.error.URLError as error:
        return Answer(0, problem=str(error.reason))
    except (OSError, ValueError) as error:
        # ValueError covers http.client's view of an answer that is no HTTP, and a redirect to another scheme.
        return Answer(0, problem=f"{type(error).__name__}: {error}")


def _read(status: int, content: bytes) -> Answer:
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        body = None
    text = content[:500].decode("utf-8", "replace") if status >= 400 else ""
    return Answer(status, body, without_secrets(text))
