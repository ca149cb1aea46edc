"""A model behind OpenAI's protocol: OpenAI itself, Ollama, vLLM, llama.cpp, LM Studio and every compatible server."""

import json
import re
import time
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .chat import Purpose, Reply
from .endpoint import Endpoint
from .errors import ContextTooLong, ModelUnavailable
from .habits import HabitBook, Habits
from .interrupting import interruptible, pause
from .line import Line, watch
from .local_servers import NAMES, START, models_of, trouble_with, window_of
from .settings import Settings
from .state import Message, Usage
from .streaming import Gathered, as_langchain, ask_with_retries, estimated_tokens, gather
from .trouble import CallFailed, Trouble, filtered, trouble_of

if TYPE_CHECKING:
    from langchain_openai import ChatOpenAI

RUN_PYTHON: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "run_python",
        "description": "Run one whole Python program in the sandbox and see what it prints.",
        "parameters": {"type": "object", "additionalProperties": False, "required": ["code"],
                       "properties": {"code": {"type": "string", "description": "The program's text."}}},
    },
}
_CONNECT_S = 10.0
_REPLY_FACTOR = 10
"""A whole reply may take this many times the longest silence: a server that drips bytes for ever is a hang, too."""
_LARGEST_BODY = 256 * 1024 * 1024
_BYTES_PER_TOKEN = 3.3
_REPLY_TOKENS: dict[Purpose, int] = {"plan": 2048, "program": 16_384, "explain": 1024}
"""A bound where the server has none of its own: a small model that repeats itself would fill its whole window."""
_TEMPERATURE = 0.2
_LONGEST_TEXT = 600
_LONGEST_ITEM = 120
_ADAPTATIONS = 8
_SYSTEM_ROLE = re.compile(r"system (?:role|message|prompt)|roles? must alternate|only user and assistant",
                          re.IGNORECASE)
_STREAM_OPTIONS = re.compile(r"stream_options|include_usage", re.IGNORECASE)
_EXTRAS = re.compile(r"temperature|max_tokens|max_completion_tokens", re.IGNORECASE)
_TOOL_WANTED = re.compile(r"tools?\b.{0,60}\b(?:required|must|missing)|must\b.{0,60}\btools?\b", re.IGNORECASE)


class OpenAIChat:
    """Asks one endpoint, by streaming, within explicit time-outs. Safe to share between threads."""

    recorded = False

    def __init__(self, endpoint: Endpoint, settings: Settings, *, pause: Callable[[float], None] = pause) -> None:
        self.endpoint = endpoint
        self.label = endpoint.label
        self._settings = settings
        self._pause = pause
        self._book = HabitBook(settings.home_path / "endpoints.json")
        self._habits: Habits | None = None
        self._window: int | None = None
        self._bytes_per_token = _BYTES_PER_TOKEN
        self._warm = False

    def unavailable(self) -> str | None:
        return trouble_with(self.endpoint)

    def window(self) -> int | None:
        """Tokens that prompt and reply may have together, where the server says so."""
        if self._window is None and self.endpoint.kind != "openai":
            self._window = window_of(self.endpoint)
        return self._window

    def ask(self, messages: Sequence[Message], *, purpose: Purpose, schema: dict[str, Any] | None = None,
            on_token: Callable[[str], None] | None = None, index: int | None = None) -> Reply:
        """One reply. Raises ModelUnavailable or ContextTooLong."""
        prompt_tokens = self._fits(messages)
        if self._habits is None:
            self._habits = self._book.get(self._key)
        habits = self._habits
        for _ in range(_ADAPTATIONS):
            try:
                gathered = self._asked(messages, purpose, schema, habits, prompt_tokens, on_token)
                break
            except CallFailed as failure:
                changed = _adapted(habits, failure.trouble, purpose, schema)
                if changed is None:
                    raise failure.trouble.error from failure
                habits = changed
        else:
            raise ModelUnavailable(f"{self.label} refuses every form of the call; look at the server's log")
        self._warm = True
        reply, learned = self._reply(gathered, purpose, schema, habits, messages)
        if learned != self._habits:
            self._habits = learned
            self._book.put(self._key, learned)
        return reply

    @property
    def _key(self) -> str:
        return f"{self.endpoint.url} {self.endpoint.model}"

    @cached_property
    def _client(self) -> "ChatOpenAI":
        import httpx2
        import openai
        from langchain_openai import ChatOpenAI

        # Calls are seconds apart, longer than servers keep a connection: none is kept, so none is found dead or left open.
        http = openai.DefaultHttpxClient(event_hooks={"request": [watch], "response": [self._bound_body]},
                                         trust_env=not self.endpoint.loopback,
                                         limits=httpx2.Limits(max_keepalive_connections=0))
        return ChatOpenAI(model=self._model, api_key=lambda: self.endpoint.key,
                          base_url=None if self.endpoint.own else self.endpoint.url,
                          use_responses_api=None if self.endpoint.own else False,
                          timeout=self._settings.model_timeout_s, max_retries=0, http_client=http,
                          stream_usage=True)

    @cached_property
    def _model(self) -> str:
        if self.endpoint.model:
            return self.endpoint.model
        names, _ = models_of(self.endpoint)
        if not names:
            raise ModelUnavailable(f"{NAMES[self.endpoint.kind]} at {self.endpoint.url} names no model; "
                                   f"{START[self.endpoint.kind]}, or write {self.endpoint.kind}:NAME")
        return names[0]

    def _bound_body(self, response: Any) -> None:
        response.stream = _bounded(response.stream, self._settings.model_timeout_s * _REPLY_FACTOR)

    def _fits(self, messages: Sequence[Message]) -> int:
        """The prompt's estimated tokens. Some servers cut a longer prompt without a word, so it is refused here."""
        tokens, window = estimated_tokens(messages, self._bytes_per_token), self.window()
        if window and tokens + min(1024, window // 4) > window:
            raise ContextTooLong(f"the prompt has about {tokens} tokens and {self.label} a window of {window}, the "
                                 "reply included; serve it with a larger window (Ollama: OLLAMA_CONTEXT_LENGTH), or "
                                 "ask for less", window=window, prompt_tokens=tokens)
        return tokens

    def _asked(self, messages: Sequence[Message], purpose: Purpose, schema: dict[str, Any] | None, habits: Habits,
               prompt_tokens: int, on_token: Callable[[str], None] | None) -> Gathered:
        import httpx2

        load_s = self._settings.first_load_timeout_s if self.endpoint.local and not self._warm else 0.0
        silence_s = max(self._settings.model_timeout_s, load_s)
        turns = as_langchain(messages, system_role=habits.system_role)
        extra = self._arguments(purpose, schema, habits, prompt_tokens)
        timeout = httpx2.Timeout(silence_s, connect=_CONNECT_S)

        def explain(error: Exception) -> Trouble | None:
            return trouble_of(error, self.endpoint, silence_s)

        def call() -> Gathered:
            line = Line()
            pieces = line.over(lambda: iter(self._client.stream(turns, timeout=timeout, **extra)))
            whole = gather(interruptible(pieces, line.cut), explain, on_token)
            if whole.nothing:
                raise CallFailed(Trouble(ModelUnavailable(f"{self.label} answered without a reply (no choice in it); "
                                                          "try again, or look at the server's log", retryable=True)))
            if whole.finish_reason == "content_filter":
                raise CallFailed(Trouble(filtered(self.label)))
            return whole

        return ask_with_retries(call, retries=self._settings.model_retries, load_s=load_s,
                                longest_wait_s=self._settings.model_timeout_s, pause=self._pause, on_token=on_token)

    def _arguments(self, purpose: Purpose, schema: dict[str, Any] | None, habits: Habits,
                   prompt_tokens: int) -> dict[str, Any]:
        """Beyond the messages: structure, tools, and for servers of one's own a low temperature and an end."""
        body: dict[str, Any] = {}
        if self.endpoint.kind != "openai" and habits.extras:
            window = self.window()
            most = _REPLY_TOKENS[purpose]
            room = most if window is None else max(256, window - prompt_tokens - 64)
            body |= {"temperature": _TEMPERATURE, "max_tokens": min(room, most)}
        arguments: dict[str, Any] = {} if habits.stream_options else {"stream_usage": False}
        if schema is not None:
            name = str(schema.get("title", "reply"))
            if self.endpoint.kind != "openai":
                schema = _with_short_texts(schema)
            if habits.structured == "json_schema":
                body["response_format"] = {"type": "json_schema",
                                           "json_schema": {"name": name, "strict": True, "schema": schema}}
            elif habits.structured == "json_object":
                body["response_format"] = {"type": "json_object"}
            elif habits.structured == "tool":
                function = {"name": name, "description": str(schema.get("description", name)), "parameters": schema}
                arguments["tools"] = [{"type": "function", "function": function}]
                arguments["tool_choice"] = {"type": "function", "function": {"name": name}}
        elif purpose == "program" and habits.code == "tool":
            arguments["tools"] = [RUN_PYTHON]
        if self.endpoint.own and "response_format" in body:
            # Where the client speaks the Responses API, it is the one that puts this argument in its place.
            arguments["response_format"] = body.pop("response_format")
        if body:
            arguments["extra_body"] = body
        return arguments

    def _reply(self, gathered: Gathered, purpose: Purpose, schema: dict[str, Any] | None, habits: Habits,
               messages: Sequence[Message]) -> tuple[Reply, Habits]:
        text, calls = gathered.text, gathered.tool_calls
        warnings = [*gathered.notes, *(f"asked again: {why}" for why in gathered.asked_again)]
        if schema is not None:
            if habits.structured == "tool" and calls and not text.strip():
                text, calls = calls[0].arguments, []
            if gathered.finish_reason != "length" and not _is_object(text):
                habits = habits.weaker() or habits
        elif purpose == "program":
            habits = _code_habit(habits, gathered)
        counted = gathered.input_tokens > 0
        if counted:
            size = sum(len(message.content.encode("utf-8", "replace")) for message in messages)
            self._bytes_per_token = min(6.0, max(1.5, size / gathered.input_tokens))
        else:
            warnings.append(f"{self.label} reports no token counts; they are estimated")
            gathered.input_tokens = estimated_tokens(messages, self._bytes_per_token)
            gathered.output_tokens = int(len(gathered.text.encode("utf-8", "replace")) / self._bytes_per_token) + 1
        if self._window and counted and gathered.input_tokens >= self._window:
            warnings.append(f"{self.label} may have cut the prompt: it filled the window of {self._window} tokens")
        usage = Usage(calls=1 + len(gathered.asked_again), input_tokens=gathered.input_tokens,
                      output_tokens=gathered.output_tokens, cost=self._cost(gathered))
        return Reply(text=text, finish_reason=gathered.finish_reason or "unknown", tool_calls=calls, usage=usage,
                     model=gathered.model or self._model, warnings=warnings), habits

    def _cost(self, gathered: Gathered) -> float | None:
        prices = self._settings.prices
        price = prices.get(self._model) or prices.get(self.label) or prices.get(gathered.model)
        if price is None:
            return None
        return (gathered.input_tokens * price.input + gathered.output_tokens * price.output) / 1_000_000


def _adapted(habits: Habits, trouble: Trouble, purpose: Purpose, schema: dict[str, Any] | None) -> Habits | None:
    """Another way to put the call after a refusal of its form; null where the form is not what was refused."""
    if trouble.status not in (400, 404, 405, 415, 422, 500, 501) or isinstance(trouble.error, ContextTooLong):
        return None
    said = trouble.said
    if trouble.status == 404 and not re.search(r"tool|response_format", said, re.IGNORECASE):
        return None
    if habits.system_role and _SYSTEM_ROLE.search(said):
        return habits.model_copy(update={"system_role": False})
    if habits.stream_options and _STREAM_OPTIONS.search(said):
        return habits.model_copy(update={"stream_options": False})
    if habits.extras and _EXTRAS.search(said):
        return habits.model_copy(update={"extras": False})
    if schema is not None:
        return habits.weaker()
    if purpose == "program" and habits.code == "text" and _TOOL_WANTED.search(said):
        return habits.model_copy(update={"code": "tool"})
    if purpose == "program" and habits.code == "tool" and trouble.status != 500:
        return habits.model_copy(update={"code": "text"})
    return None


def _code_habit(habits: Habits, gathered: Gathered) -> Habits:
    """A model that calls a tool although none was offered, or ends at a call and says nothing, gets `run_python`."""
    wants = bool(gathered.tool_calls) or (gathered.finish_reason == "tool_calls" and not gathered.text.strip())
    return habits.model_copy(update={"code": "tool"}) if wants and habits.code == "text" else habits


def _with_short_texts(schema: Any, longest: int = _LONGEST_TEXT) -> Any:
    """The schema with a bound on every text: servers of one's own hold a model to it letter by letter, and a small model
    that must fill in a form never ends a text by itself. (OpenAI's strict mode refuses the keyword.)"""
    if isinstance(schema, list):
        return [_with_short_texts(item, longest) for item in schema]
    if not isinstance(schema, dict):
        return schema
    bounded = {key: _with_short_texts(item, _LONGEST_ITEM if key == "items" else longest) for key, item in schema.items()}
    if "string" in (schema.get("type"), *(schema["type"] if isinstance(schema.get("type"), list) else ())):
        bounded.setdefault("maxLength", longest)
    return bounded


def _is_object(text: str) -> bool:
    start, end = text.find("{"), text.rfind("}")
    try:
        return isinstance(json.loads(text[start:end + 1], strict=False), dict) if start != -1 else False
    except (json.JSONDecodeError, RecursionError):
        return False


def _bounded(stream: Any, longest_s: float) -> Any:
    """The body's stream, ended when it takes longer or grows larger than any reply may."""
    import httpx2

    class Bounded(httpx2.SyncByteStream):
        def __iter__(self) -> Any:
            until, size = time.monotonic() + longest_s, 0
            for piece in stream:
                size += len(piece)
                if time.monotonic() > until or size > _LARGEST_BODY:
                    raise httpx2.ReadTimeout(f"the reply went on for more than {longest_s:g} s or {size} bytes")
                yield piece

        def close(self) -> None:
            stream.close()

    return Bounded()
