"""What a program may use. Hard limits are held by a cgroup, soft ones by rlimits and the runner's watch."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Held = Literal["hard", "soft", "not_held"]


class Limits(BaseModel):
    """Bounds of one execution. Every value is a ceiling; none can be raised by a model's reply."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    wall_s: float = Field(default=20.0, gt=0, le=86_400)
    """Seconds by the clock, from the program's start to its end."""
    cpu_s: float = Field(default=20.0, gt=0, le=86_400)
    """Seconds of processor time, summed over the program's processes."""
    memory_mb: int = Field(default=512, ge=16, le=1_048_576)
    """Mebibytes of memory of all processes together, shared memory and workspace files included where a cgroup counts."""
    processes: int = Field(default=64, ge=1, le=4096)
    """Processes and threads at once."""
    workspace_mb: int = Field(default=256, ge=1, le=1_048_576)
    """Mebibytes of files in the workspace and in TMPDIR together."""
    output_kb: int = Field(default=10_240, ge=1, le=1_048_576)
    """Kibibytes of stdout and of stderr, each; more ends the program with the limit `output`."""
    files: int = Field(default=4096, ge=1, le=1_000_000)
    """Files and folders in the workspace."""

    def within(self, ceiling: "Limits") -> "Limits":
        """The smaller of the two, value by value."""
        low = {name: min(getattr(self, name), getattr(ceiling, name)) for name in type(self).model_fields}
        return Limits(**low)

    def same_room(self, other: "Limits") -> bool:
        """Whether the kernel would hold the same of both."""
        return (self.memory_mb, self.processes) == (other.memory_mb, other.processes)

    def fits(self, room: "Limits") -> bool:
        """Whether a sandbox that was started with `room` can hold these: its file system keeps its size, the rest is
        lowered."""
        return self.workspace_mb == room.workspace_mb and all(
            getattr(self, name) <= getattr(room, name) for name in ("memory_mb", "processes", "files"))
