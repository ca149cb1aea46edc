"""Errors of the execution layer.

SandboxError
├── EngineUnavailable   this engine cannot start here (daemon down, image missing, namespaces forbidden)
├── LimitsNotEnforced   the engine cannot hold a limit that the policy requires hard
├── SandboxFailed       a sandbox broke while it was in use; the program's own end is unknown
├── StateLost           variables or files of earlier steps are gone and cannot be rebuilt
├── InputChanged        an input differs from the digest that was recorded for it
└── BadRequest          the caller asked for something that cannot be had (unknown time zone, bad override)

A program that crashes, times out or hits a limit raises nothing: that is an Execution.
"""


class SandboxError(Exception):
    """Base of the execution layer's errors. `str()` says what is wrong and what to do."""


class EngineUnavailable(SandboxError):
    """The engine cannot be used here."""


class LimitsNotEnforced(SandboxError):
    """A limit that must be hard cannot be held."""


class SandboxFailed(SandboxError):
    """The sandbox broke during use."""


class StateLost(SandboxError):
    """What earlier steps left in the session is gone and cannot be rebuilt."""


class InputChanged(SandboxError):
    """An input's bytes are not those that were recorded."""


class BadRequest(SandboxError):
    """The request itself cannot be satisfied by any engine."""
