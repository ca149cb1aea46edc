"""What a program did, as a witness outside of it wrote it down. A record for people: no decision rests on it."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, field_validator

from .limits import Held
from .writable import writable

Witness = Literal["kernel", "interpreter"]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    _writable = field_validator("*", mode="before")(writable)


class InputEvidence(_Record):
    path: str
    sha256: str
    read: bool
    """Whether a witness saw it opened for reading."""


class FileEvent(_Record):
    path: str
    """Relative to the workspace where it lies inside, else absolute in the sandbox."""
    mode: Literal["read", "write", "rename", "unlink", "truncate", "mkdir", "link"]
    bytes: int | None = None
    count: int = 1
    witness: Witness
    contestable: bool = False
    """True where the kernel cannot settle that the recorded path is the one that was used."""
    refused: bool = False


class NetworkAttempt(_Record):
    family: str
    host: str | None = None
    port: int | None = None
    line: int | None = None
    count: int = 1
    witness: Witness = "kernel"


class ProcessEvent(_Record):
    argv: list[str]
    count: int = 1
    witness: Witness
    refused: bool = False


class ToolCall(_Record):
    name: str
    arguments: str = ""
    """JSON text, at most 2,000 characters."""
    outcome: Literal["returned", "raised", "refused"]
    message: str = ""
    wall_s: float = 0.0


class LimitsEvidence(_Record):
    """Requested limits, the effective ones as read back from the kernel, and how each is held."""

    requested: dict[str, float] = {}
    effective: dict[str, float | str | None] = {}
    held: dict[str, Held] = {}


class Artifact(_Record):
    """One file that a program made, already on the host."""

    path: str
    """Relative to the workspace, POSIX."""
    bytes: int
    sha256: str
    media_type: str
    """By content, not by name."""
    stored: str = ""
    """Where the copy lies on the host, relative to the run's folder."""


class RejectedArtifact(_Record):
    path: str
    """Printable form of the name (backslash escapes for control and undecodable bytes)."""
    reason: str


class Evidence(_Record):
    """Everything a witness saw of one execution."""

    engine: str
    runtime: str
    """Digest of the image, or of the lock of the bubblewrap environment."""
    witness: Witness
    inputs: list[InputEvidence] = []
    files_read: list[FileEvent] = []
    files_written: list[FileEvent] = []
    network_attempts: list[NetworkAttempt] = []
    processes: list[ProcessEvent] = []
    tool_calls: list[ToolCall] = []
    events_lost: int = 0
    library_reads: int = 0
    """Reads of the standard library, of packages and of what they ask about the machine, which are not listed one by
    one."""
    limits: LimitsEvidence = LimitsEvidence()
    environment: dict[str, str] = {}
    """The fixed environment the program saw: time zone, hash seed, thread counts."""
    rejected_artifacts: list[RejectedArtifact] = []
