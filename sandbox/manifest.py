"""What goes into a workspace and what must come out of it."""

import re
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from pydantic import BaseModel, ConfigDict, Field, field_validator

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def workspace_path(name: str) -> str:
    """The name as a plain relative POSIX path, or ValueError that says what is wrong with it."""
    path = PurePosixPath(name)
    if _SURROGATE.search(name):
        raise ValueError(f"{name!a} is no workspace path: it is not UTF-8; give it another name with NAME=PATH")
    if not name or _CONTROL.search(name):
        raise ValueError(f"{name!r} is no workspace path: it is empty or has control characters")
    if path.is_absolute() or ".." in path.parts or path == PurePosixPath("."):
        raise ValueError(f"{name!r} is no workspace path: use a relative path without '..'")
    if any(len(part.encode()) > 255 for part in path.parts):
        raise ValueError(f"{name!r} is no workspace path: one part is longer than 255 bytes")
    return str(path)


class InputFile(BaseModel):
    """One read-only file of the workspace. Its bytes stay on the host until a sandbox asks for them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    """Path in the workspace, relative, POSIX."""
    source: str
    """Absolute path on the host of the file that holds the bytes."""
    bytes: int = Field(ge=0)
    sha256: str
    """Of the bytes when the run began; a file that differs later is refused."""
    sensitive: bool = False
    """A person is asked before a program may read it."""

    _name = field_validator("name")(workspace_path)

    def open_path(self) -> Path:
        return Path(self.source)


class OutputSpec(BaseModel):
    """One declared output: a name or a pattern under the workspace that must exist when a program has delivered."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    pattern: str
    """Workspace path; `*` and `?` as in fnmatch. A bare name also matches below `output/`."""
    media_type: str | None = None
    """Required type by content, such as `image/png`; null accepts any."""
    min_bytes: int = Field(default=1, ge=0)
    max_bytes: int = Field(default=100 * 1024 * 1024, ge=1)

    _pattern = field_validator("pattern")(workspace_path)

    @property
    def folder(self) -> str:
        """The folder it lies in, as far as it has no wildcard; empty for the workspace itself."""
        parts = PurePosixPath(self.pattern).parts[:-1]
        fixed = [part for part in parts if not re.search(r"[*?\[]", part)]
        return "/".join(parts) if len(fixed) == len(parts) else ""

    def matches(self, path: str) -> bool:
        bare = "/" not in self.pattern
        return fnmatchcase(path, self.pattern) or (bare and fnmatchcase(path, f"output/{self.pattern}"))


class Manifest(BaseModel):
    """Inputs and declared outputs of one run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    inputs: list[InputFile] = []
    outputs: list[OutputSpec] = []
