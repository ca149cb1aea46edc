"""Any LangChain chat model as a Chat: an object handed over from Python, or a name that `init_chat_model` knows."""

from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from .chat import Purpose, Reply
from .endpoint import WAYS_OUT
from .errors import ContextTooLong, ModelUnavailable
from .interrupting import interruptible, pause
from .providers import install_line, problem_of
from .settings import Settings
from .state import Message, Usage
from .streaming import Gathered, as_langchain, ask_with_retries, estimated_tokens, gather
from .trouble import CallFailed, Trouble, filtered

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessageChunk

_BYTES_PER_TOKEN = 3.3


class LangChainChat:
    """Asks a LangChain chat model. Structure is asked for in words alone, since providers differ in all else.

    Time-outs are the model object's own: give it one (`timeout=…`), most have none by default.
    """

    recorded = False

    def __init__(self, make: "Callable[[], BaseChatModel]", label: str, settings: Settings, *,
                 pause: Callable[[float], None] = pause) -> None:
        self.label = label
        self._make = make
        self._settings = settings
        self._pause = pause
        self._made: BaseChatModel | None = None

    def unavailable(self) -> str | None:
        try:
            self._model()
        except ModelUnavailable as error:
            return str(error)
        return None

    def ask(self, messages: Sequence[Message], *, purpose: Purpose, schema: dict[str, Any] | None = None,
            on_token: Callable[[str], None] | None = None, index: int | None = None) -> Reply:
        """One reply. Raises ModelUnavailable or ContextTooLong."""
        model, turns = self._model(), as_langchain(messages)

        def call() -> Gathered:
            whole = gather(interruptible(lambda: _pieces(model, turns), _nothing), self._trouble, on_token)
            if whole.finish_reason in ("content_filter", "refusal", "SAFETY"):
                raise CallFailed(Trouble(filtered(self.label)))
            return whole

        try:
            gathered = ask_with_retries(call, retries=self._settings.model_retries, load_s=0.0, pause=self._pause,
                                        longest_wait_s=self._settings.model_timeout_s, on_token=on_token)
        except CallFailed as failure:
            raise failure.trouble.error from failure
        return self._reply(gathered, messages)

    def _model(self) -> "BaseChatModel":
        if self._made is None:
            self._made = self._make()
        return self._made

    def _trouble(self, error: Exception) -> Trouble:
        """A provider's client may raise anything; whatever it is, the model gave no reply and the run must say so."""
        from langchain_core.exceptions import ContextOverflowError, ModelError

        words = " ".join(str(error).split())[:500] or type(error).__name__
        if isinstance(error, ContextOverflowError):
            return Trouble(ContextTooLong(f"the prompt is longer than {self.label} can take: {words}"))
        retryable = isinstance(error, ModelError) and bool(error.is_retryable)
        return Trouble(ModelUnavailable(f"{self.label} gave no reply ({type(error).__name__}: {words})",
                                        retryable=retryable))

    def _reply(self, gathered: Gathered, messages: Sequence[Message]) -> Reply:
        warnings = [*gathered.notes, *(f"asked again: {why}" for why in gathered.asked_again)]
        if not gathered.input_tokens:
            warnings.append(f"{self.label} reports no token counts; they are estimated")
            gathered.input_tokens = estimated_tokens(messages, _BYTES_PER_TOKEN)
            gathered.output_tokens = int(len(gathered.text.encode("utf-8", "replace")) / _BYTES_PER_TOKEN) + 1
        price = self._settings.prices.get(self.label) or self._settings.prices.get(gathered.model)
        cost = None if price is None else (gathered.input_tokens * price.input
                                           + gathered.output_tokens * price.output) / 1_000_000
        usage = Usage(calls=1 + len(gathered.asked_again), input_tokens=gathered.input_tokens,
                      output_tokens=gathered.output_tokens, cost=cost)
        return Reply(text=gathered.text, finish_reason=_finish(gathered), tool_calls=gathered.tool_calls, usage=usage,
                     model=gathered.model or self.label, warnings=warnings)


def wrap_chat_model(model: "BaseChatModel", settings: Settings | None = None, *, label: str = "") -> LangChainChat:
    """A LangChain chat model object as a Chat. `label`: how it is named to people; by default its class."""
    return LangChainChat(lambda: model, label or f"langchain:{type(model).__name__}", settings or Settings())


def named_chat_model(name: str, settings: Settings) -> LangChainChat:
    """A model by a name that LangChain's `init_chat_model` knows, such as `anthropic:NAME`. Made at its first use.

    Raises ModelUnavailable for a name without a provider, or with one that LangChain does not know.
    """
    problem = problem_of(name)
    if problem is not None:
        raise ModelUnavailable(problem)

    def make() -> "BaseChatModel":
        if find_spec("langchain") is None:
            raise ModelUnavailable(_install(name))
        from importlib import import_module

        try:
            model: BaseChatModel = import_module("langchain.chat_models").init_chat_model(
                name, timeout=settings.model_timeout_s, max_retries=0)
        except ImportError as error:
            raise ModelUnavailable(f"{_install(name)} ({error})") from error
        except ValueError as error:
            raise ModelUnavailable(f"model {name!r}: {str(error).partition(chr(10))[0]}; {WAYS_OUT}") from error
        return model

    return LangChainChat(make, name, settings)


def _install(name: str) -> str:
    return f"model {name!r} needs its extra: `{install_line(name)}`"


def _pieces(model: "BaseChatModel", turns: Any) -> "Iterator[BaseMessageChunk]":
    yield from model.stream(turns)


def _nothing() -> None:
    """A provider's own client cannot be cut off from outside; its thread ends with its time-out."""


def _finish(gathered: Gathered) -> str:
    """LangChain passes each provider's own word; those that mean a whole reply become `stop`."""
    reason = gathered.finish_reason
    if reason.lower() in ("end_turn", "stop_sequence", "stop", "eos", "eos_token", "complete", "completed"):
        return "stop"
    return "length" if reason.lower() in ("length", "max_tokens", "max_output_tokens") else reason or "unknown"
