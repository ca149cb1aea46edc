"""Errors of the graph's machinery.

GraphError
├── ModelError            a model gave no reply
│   ├── ModelUnavailable  server down, wrong key, unknown model, time-outs used up
│   └── ContextTooLong    the prompt does not fit the model's window
├── TimeOver              the run's own time ended while a model was still writing
├── SettingsInvalid       the context or the environment is wrong
├── Cancelled             the caller ended the run while a node was at work
├── AnswerInvalid         an answer to a question has not the agreed shape
├── CheckpointUnreadable  a checkpoint was written by another version, or by somebody else
└── StoreError            the run store refuses: no such run, already decided, already finished
"""


class GraphError(Exception):
    """Base of the graph's errors. `str()` says what is wrong and what to do."""


class ModelError(GraphError):
    """A model gave no reply. `retryable`: whether the same call may succeed later."""

    def __init__(self, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.retryable = retryable


class ModelUnavailable(ModelError):
    """No reply can be had from the model; the message names the cause and the way out."""


class ContextTooLong(ModelError):
    """The prompt is longer than the model's window, by the server's word or by its known window.

    `window`, `prompt_tokens`: in tokens, null where unknown. The same prompt never fits: shorten it before asking again.
    """

    def __init__(self, message: str, *, window: int | None = None, prompt_tokens: int | None = None) -> None:
        super().__init__(message, retryable=False)
        self.window = window
        self.prompt_tokens = prompt_tokens


class TimeOver(GraphError):
    """The wall clock of the run is used up in the middle of a reply, which then counts for nothing."""


class SettingsInvalid(GraphError):
    """The settings are wrong."""


class StoreError(GraphError):
    """The run store refuses the request."""


class Cancelled(GraphError):
    """The caller ended the run. What was being done is not written down, so that a resume does it again."""


class AnswerInvalid(GraphError):
    """A person's (or a page's) answer cannot be read as a decision."""


class CheckpointUnreadable(GraphError):
    """A checkpoint holds data that this version cannot rebuild. Nothing half-read goes on."""
