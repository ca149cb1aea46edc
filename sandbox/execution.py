"""How one program ended. Everything here is data that the runner measured, never what the program says of itself."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, field_validator

from .writable import writable

ExecutionOutcome = Literal["completed", "error", "timeout", "out_of_memory", "killed", "limit", "sandbox_failed"]
LimitName = Literal["cpu", "output", "disk", "processes", "files"]


class ProgramError(BaseModel):
    """The exception that ended a program, in the program's own coordinates."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    _writable = field_validator("*", mode="before")(writable)

    type: str
    message: str
    """At most 2,000 characters, head and tail kept."""
    line: int | None = None
    """Innermost line of the program itself, 1-based; null when no frame of its own was on the stack."""
    traceback: str = ""
    """Frames of the program and of libraries, runner frames removed; bounded like the message."""
    values: dict[str, str] = {}
    """Types (and shapes) of the local names in the innermost own frame, at most 20."""


class Execution(BaseModel):
    """One run of one program in one sandbox."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    _writable = field_validator("*", mode="before")(writable)

    outcome: ExecutionOutcome
    limit: LimitName | None = None
    error: ProgramError | None = None
    exit_code: int | None = None
    signal: int | None = None
    stdout: str = ""
    """Decoded as UTF-8 with replacement; head and tail within a bound. The full bytes are in the run's folder."""
    stderr: str = ""
    stdout_bytes: int = 0
    """Bytes the program wrote, the dropped ones included."""
    stderr_bytes: int = 0
    truncated: bool = False
    wall_s: float = 0.0
    cpu_s: float = 0.0
    peak_memory_bytes: int | None = None
    message: str = ""
    """One sentence for a person: which limit of which size, which signal, why the sandbox failed."""
    warnings: list[str] = []
    """What did not fail the run but should be known: a child killed for memory, an artifact refused."""
