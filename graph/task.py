"""A task: what is asked, with what, in which shape, within which bounds. Data only, so that it can wait in a checkpoint."""

import hashlib
import secrets
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from ..sandbox.evidence import Artifact, Evidence
from ..sandbox.execution import Execution
from ..sandbox.limits import Limits
from ..sandbox.manifest import InputFile, Manifest, OutputSpec, workspace_path
from .plain import MAX_INT, JsonObject, PlainText, SourceText, plain_text

__all__ = ["Artifact", "Evidence", "Execution", "InputFile", "Limits", "Manifest", "OutputSpec", "Task", "inputs_from"]

StateMode = Literal["files", "process", "fresh"]
Approval = Literal["auto", "always", "never"]
Preview = Literal["none", "names", "schema", "rows"]


class Task(BaseModel):
    """One question. Callables (validators, tools) are named here and live in the registry of the context."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    goal: PlainText = Field(min_length=1, max_length=100_000)
    """What is wanted, in any language."""
    instructions: PlainText = ""
    """The role and manner of the answer; cannot widen anything."""
    inputs: list[InputFile] = []
    """Files of the workspace, read-only. `inputs_from` makes the list from paths or bytes."""
    result: JsonObject | None = None
    """JSON Schema of the result; a pydantic model class is turned into its schema. Null: the plan's shape, or none."""
    outputs: list[OutputSpec] = []
    """Files that must exist when the program has delivered; a plain string is taken as a name or pattern."""
    limits: Limits = Limits()
    policy: PlainText = "data-analysis"
    """Name of a shipped profile or path of an operator's own."""
    max_attempts: int = Field(default=3, ge=1, le=1000)
    """Generated programs per step."""
    max_steps: int = Field(default=10, ge=1, le=1000)
    """Programs that ran to their end."""
    max_tokens: int | None = Field(default=None, ge=1, le=MAX_INT)
    """Tokens of all model calls together; null is no bound."""
    max_wall_s: float | None = Field(default=None, gt=0)
    """Seconds of the whole run, waiting for a person not counted; null is no bound."""
    state: StateMode = "files"
    observation_chars: int = Field(default=4000, ge=500, le=200_000)
    approval: Approval = "auto"
    approval_expires_s: float | None = Field(default=None, gt=0)
    escalate: bool = False
    """Ask a person instead of stopping when attempts are used up."""
    preview: Preview = "schema"
    """How much of the inputs a model is shown."""
    tools: list[PlainText] = []
    """Names of registered functions that the program may call."""
    invariants: list[PlainText] = []
    """Names of registered checks `(result, artifacts folder) -> bool | str`."""
    fallback: SourceText | None = None
    """An operator's program, tried once when the attempts are used up."""
    program: SourceText | None = None
    """A given program instead of a model's: judged, run and validated as it is."""
    engine: PlainText | None = None
    """Exactly this engine and no other; null lets the policy's order decide."""
    strict: bool = False
    """Refuse stray text around the JSON result."""
    timezone: PlainText = "UTC"
    seed: int | None = Field(default=None, ge=-MAX_INT, le=MAX_INT)
    """Seed of `random` and numpy in the program; null leaves them unseeded."""
    frozen_time: float | None = None
    """Unix time that the program's clock shows at its start; null is the real clock."""

    @field_validator("result", mode="before")
    @classmethod
    def _schema_of(cls, value: Any) -> Any:
        if isinstance(value, type) and issubclass(value, BaseModel):
            return value.model_json_schema()
        return value

    @field_validator("outputs", mode="before")
    @classmethod
    def _specs(cls, value: Any) -> Any:
        return [{"pattern": item} if isinstance(item, str) else item for item in value]

    @property
    def manifest(self) -> Manifest:
        return Manifest(inputs=self.inputs, outputs=self.outputs)


def inputs_digest(path: Path) -> str:
    """SHA-256 of a file's bytes."""
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def _spooled(spool: Path, data: bytes) -> Path:
    """A file under `spool` that holds these bytes, whole at every moment."""
    spool.mkdir(parents=True, exist_ok=True)
    stored = spool.resolve() / hashlib.sha256(data).hexdigest()
    if not stored.exists():
        part = stored.with_name(f"{stored.name}.{secrets.token_hex(4)}")
        part.write_bytes(data)
        part.replace(stored)
    return stored


def inputs_from(sources: Mapping[str, Path | str | bytes], *, spool: Path,
                sensitive: Collection[str] = ()) -> list[InputFile]:
    """Inputs by their name in the workspace. A folder gives each regular file below it; bytes are written under `spool`.

    `sensitive`: names among `sources`; a person is asked before a program may read them, and no model sees a preview.

    Links are followed only for a path that was named itself, never inside a folder.
    Raises ValueError with the way out for a missing path, a bad name or two sources of one name.
    """
    found: dict[str, InputFile] = {}
    unknown = sorted(set(sensitive) - set(sources))
    if unknown:
        raise ValueError(f"no input is named {unknown[0]!r}, so it cannot be sensitive; "
                         f"there is {', '.join(sources) or 'no input'}")

    def add(name: str, path: Path, *, asked: bool) -> None:
        name = workspace_path(name)
        if name in found:
            raise ValueError(f"two inputs are named {name!r}: give one another name with NAME=PATH")
        sha256, source = inputs_digest(path), path.resolve()
        if plain_text(str(source)) != str(source):
            # A path that is no UTF-8 would come back from a checkpoint as another one.
            source = _spooled(spool, path.read_bytes())
        found[name] = InputFile(name=name, source=str(source), bytes=path.stat().st_size, sha256=sha256,
                                sensitive=asked)

    for name, source in sources.items():
        if isinstance(source, bytes):
            add(name, _spooled(spool, source), asked=name in sensitive)
            continue
        path = Path(source).expanduser()
        if path.is_file():
            add(name, path, asked=name in sensitive)
        elif path.is_dir():
            for child in sorted(path.rglob("*")):
                if child.is_file() and not child.is_symlink():
                    add(f"{name}/{child.relative_to(path).as_posix()}", child, asked=name in sensitive)
        else:
            raise ValueError(f"input {str(path)!r} does not exist (or is no file or folder); check the path")
    return list(found.values())
