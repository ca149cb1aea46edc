"""From what a client library raises to a named error with the way out, and whether asking again can help."""

import email.utils
import re
import time
from dataclasses import dataclass
from typing import Any

from .endpoint import Endpoint
from .errors import ContextTooLong, ModelError, ModelUnavailable
from .local_servers import server_down, unknown_model, wrong_key
from .redact import without_secrets

_CONTEXT = re.compile(
    r"context[ _](?:length|window|size|limit)|maximum context|prompt (?:is )?too long|input (?:is )?too long|"
    r"too many (?:input )?tokens|exceeds? the (?:available|configured) (?:context|limit)|exceed_context_size|"
    r"reduce the length|longer than the maximum|max_model_len", re.IGNORECASE)
_FILTER = re.compile(r"content[ _](?:filter|policy|management)|ResponsibleAI|safety system", re.IGNORECASE)
_WINDOW = (re.compile(r"maximum context length (?:is|of) (\d+)", re.IGNORECASE),
           re.compile(r"(?:context (?:size|length|window)[^\d]{0,20}|n_ctx[\"': ]+)\(?(\d{3,})", re.IGNORECASE))
_PROMPT = (re.compile(r"(?:resulted in|requested|n_prompt_tokens[\"': ]+|request \()\D{0,12}(\d{3,})", re.IGNORECASE),)
_LOADING = re.compile(r"\bloading\b", re.IGNORECASE)
_NO_ENDPOINT = re.compile(r"page not found|not found$|no route|cannot (?:get|post)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why one call failed."""

    error: ModelError
    status: int = 0
    """HTTP status; 0 where there was no answer."""
    said: str = ""
    """The server's own words."""
    wait_s: float | None = None
    """What the server asks to wait."""
    loading: bool = False
    """The server is up and still loads the model."""
    hang: bool = False


class CallFailed(Exception):
    """One call gave no reply. Caught by the retry loop, never seen outside of it."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(str(trouble.error))
        self.trouble = trouble


def trouble_of(error: Exception, endpoint: Endpoint, silence_s: float) -> Trouble | None:
    """What an exception of the OpenAI client means; null for one that is a fault of this program."""
    import httpx2
    import openai

    where = endpoint.label
    if isinstance(error, openai.APITimeoutError | httpx2.TimeoutException):
        if isinstance(error.__cause__, httpx2.ConnectTimeout) or isinstance(error, httpx2.ConnectTimeout):
            return Trouble(ModelUnavailable(server_down(endpoint, "no connection in time"), retryable=True))
        return Trouble(ModelUnavailable(f"{where} was silent for {silence_s:g} s, or its reply took too long; raise "
                                        "model_timeout_s, or use a faster model", retryable=True), hang=True)
    if isinstance(error, openai.APIStatusError):
        return _of_status(error, endpoint)
    if isinstance(error, openai.APIConnectionError):
        return Trouble(ModelUnavailable(server_down(endpoint, _cause(error)), retryable=True))
    if isinstance(error, httpx2.TransportError):
        return Trouble(ModelUnavailable(f"the connection to {where} was cut within a reply ({_words(error)}); "
                                        "try again", retryable=True))
    if isinstance(error, openai.ContentFilterFinishReasonError):
        return Trouble(filtered(where))
    if isinstance(error, openai.APIError):
        said = _said(error)
        if _CONTEXT.search(said):
            return Trouble(_too_long(endpoint, said), said=said)
        return Trouble(ModelUnavailable(f"{where} ended its reply with an error: {said}", retryable=True), said=said)
    if isinstance(error, openai.OpenAIError):
        return Trouble(ModelUnavailable(f"{where} cannot be asked: {_words(error)}"))
    if isinstance(error, ValueError | TypeError | KeyError | AttributeError | IndexError | AssertionError):
        # The client validates nothing it reads: an answer that is not of the protocol breaks somewhere inside of it.
        return Trouble(ModelUnavailable(f"{where} did not answer in OpenAI's protocol ({type(error).__name__}: "
                                        f"{_words(error)}); check that the address is a chat server's", retryable=True))
    return None


def filtered(where: str) -> ModelUnavailable:
    """The error for a reply that the provider withheld."""
    return ModelUnavailable(f"the content filter of {where} withheld the reply; word the goal otherwise, or use "
                            "another model")


def _of_status(error: Any, endpoint: Endpoint) -> Trouble:
    status, said, where = int(error.status_code), _said(error), endpoint.label
    if status == 401 or (status == 403 and not _FILTER.search(said)):
        return Trouble(ModelUnavailable(f"{wrong_key(endpoint, status)}: {said}"), status, said)
    if status in (400, 413, 422, 500) and _CONTEXT.search(said):
        return Trouble(_too_long(endpoint, said), status, said)
    if status in (400, 403) and _FILTER.search(said):
        return Trouble(filtered(where), status, said)
    if status == 404:
        wrong_place = _NO_ENDPOINT.search(said) and "model" not in said.lower()
        message = (f"there is no chat at {endpoint.url} (HTTP 404); the address mostly ends in /v1" if wrong_place
                   else unknown_model(endpoint, []))
        return Trouble(ModelUnavailable(message), status, said)
    if status == 429:
        if "insufficient_quota" in said or "billing" in said.lower():
            return Trouble(ModelUnavailable(f"the account of {where} has no quota left: {said}"), status, said)
        return Trouble(ModelUnavailable(f"{where} limits the rate of calls (HTTP 429): {said}; wait, or use another "
                                        "model", retryable=True), status, said, _wait(error.response.headers))
    if status >= 500 or status in (408, 409):
        return Trouble(ModelUnavailable(f"{where} fails (HTTP {status}): {said}; try again, or look at its log",
                                        retryable=True), status, said, _wait(error.response.headers),
                       loading=status == 503 and bool(_LOADING.search(said)))
    return Trouble(ModelUnavailable(f"{where} refuses the call (HTTP {status}): {said}"), status, said)


def _too_long(endpoint: Endpoint, said: str) -> ContextTooLong:
    window = next((int(found[1]) for pattern in _WINDOW if (found := pattern.search(said))), None)
    prompt = next((int(found[1]) for pattern in _PROMPT if (found := pattern.search(said))), None)
    return ContextTooLong(f"the prompt is longer than {endpoint.label} can take: {said}", window=window,
                          prompt_tokens=prompt)


def _said(error: Any) -> str:
    body = error.body
    inner = body.get("message", body.get("error", body.get("detail"))) if isinstance(body, dict) else None
    code = str(body.get("code") or body.get("type") or "") if isinstance(body, dict) else ""
    text = inner if isinstance(inner, str) else str(error.message if isinstance(body, dict) or not body else body)
    text = f"{text} [{code}]" if code and code not in text else text
    return _short(text)


def _cause(error: Exception) -> str:
    """The innermost cause in its own words: `Connection error.` alone says nothing."""
    while error.__cause__ is not None and isinstance(error.__cause__, Exception):
        error = error.__cause__
    return _words(error)


def _words(error: BaseException) -> str:
    return _short(str(error)) or type(error).__name__


def _short(text: str) -> str:
    text = " ".join(without_secrets(text).split())
    return text if len(text) <= 500 else f"{text[:500]}…"


def _wait(headers: Any) -> float | None:
    """Seconds of `Retry-After` (a number or a date) or `retry-after-ms`."""
    try:
        if "retry-after-ms" in headers:
            return max(0.0, float(headers["retry-after-ms"]) / 1000)
        given = headers.get("retry-after", "")
        if not given:
            return None
        if re.fullmatch(r"\d+(\.\d+)?", given.strip()):
            return float(given)
        return max(0.0, email.utils.parsedate_to_datetime(given).timestamp() - time.time())
    except ValueError:
        return None
