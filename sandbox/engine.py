"""What an engine is: something that can start the runner isolated, and say honestly how strong the isolation is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Literal, Protocol

from pydantic import BaseModel, ConfigDict

from .limits import Held, Limits


class Capabilities(BaseModel):
    """How strong an engine is on this host. A later engine replaces an earlier one only if it is at least as strong."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    network: Literal["namespace", "filter"]
    """`namespace`: nothing to reach; `filter`: sockets are refused by seccomp and Landlock only."""
    pid_namespace: bool
    mount_namespace: bool
    witness: Literal["kernel", "interpreter"]
    memory: Held
    cpu: Held
    processes: Held
    disk: Held
    foreign_kernel: bool = False
    """True where the program meets another kernel than the host's (gVisor)."""
    lacks: list[str] = []
    """In words, what this engine does not hold."""

    def lacking(self, required: "Requirements") -> list[str]:
        """What this engine lacks of the requirements, in words; empty when it satisfies them."""
        missing = [f"{name} only {getattr(self, name)}, required hard" for name in required.hard
                   if getattr(self, name) != "hard"]
        for name in ("pid_namespace", "mount_namespace", "foreign_kernel"):
            if getattr(required, name) and not getattr(self, name):
                missing.append(f"no {name.replace('_', ' ')}")
        if required.network == "namespace" and self.network != "namespace":
            missing.append("no network namespace")
        return missing


class Requirements(BaseModel):
    """What a policy asks of an engine."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    hard: list[Literal["memory", "cpu", "processes", "disk"]] = []
    pid_namespace: bool = False
    mount_namespace: bool = False
    foreign_kernel: bool = False
    network: Literal["namespace", "filter"] = "filter"


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchRequest:
    """What an engine needs to start one sandbox."""

    limits: Limits
    run_id: str
    owner: str
    """Identity of the process that owns the sandbox: host, pid and its start time; on every sandbox as a label."""
    mounts: Sequence[tuple[Path, str]] = field(default_factory=list)
    """Large inputs: host file, workspace path; read-only, and only where `Engine.local` is true."""
    environment: dict[str, str] = field(default_factory=dict)
    preload: Sequence[str] = ()
    """Modules that the runner imports before it is ready."""


SCRATCH = "/tmp"
"""Where an engine mounts the one sized tmpfs (`workspace_mb`) that holds workspace, home and temporary files."""
PROGRAM_FOLDER = "/program"
PROGRAM_BYTES = 8 * 1024 * 1024
"""Where an engine mounts a small tmpfs for the program's own file: the runner writes it, the program only reads it."""


class Launched(Protocol):
    """A started sandbox: the runner's pipes, and the means to end it. The runner is PID 1 of it.

    The engine starts `boot.runner_command(python)`, makes `scratch` and `program_folder` writable for the runner's
    user (mode 0700 or wider), /dev/shm of `memory_mb`, and leaves everything else read-only.
    """

    stdin: IO[bytes]
    """Unbuffered, with a `fileno()` that poll() understands; `write` may be short."""
    stdout: IO[bytes]
    """Unbuffered, with a `fileno()` that poll() understands. `read(n)` gives what is there, `b""` at the end, None when
    nothing is there yet; it never keeps decoded bytes back while `fileno()` looks idle."""
    scratch: str
    """Path inside the sandbox, `SCRATCH` wherever there is a mount namespace."""
    program_folder: str
    """Path inside the sandbox, `PROGRAM_FOLDER` wherever there is a mount namespace."""

    def kill(self) -> None:
        """End every process of the sandbox now. Safe to call twice, from any thread."""

    def close(self) -> None:
        """Kill, reap, and remove all that the engine made for it. Never raises for what is already gone."""

    def diagnose(self) -> str:
        """After an unexpected end: what the engine knows of the cause (daemon's message, bwrap's stderr)."""

    def ready(self) -> None:
        """Called once, when the runner is up and no program has run: what the runner itself takes is not the program's.
        Raises LimitsNotEnforced."""

    def lower(self, limits: Limits) -> None:
        """Let the kernel hold these limits of memory and processes from now on, none above the request's. Raises
        LimitsNotEnforced where it does not take them."""

    def memory_kills(self) -> int | None:
        """Processes that the kernel has killed for memory in this sandbox; null where there is no counter."""

    def forks_refused(self) -> int | None:
        """Processes and threads that the kernel did not start because of the limit; null where there is no counter."""

    def out_of_memory(self) -> bool | None:
        """Whether the kernel's counter proves that the memory limit was hit; null where there is no counter."""

    def effective(self) -> dict[str, float | str | None]:
        """Limits read back from outside (cgroup files), beside what the runner reads inside; may be empty."""


class Engine(Protocol):
    """Starts the runner isolated. About a hundred lines each; everything else lives on the host side of the protocol."""

    name: str
    local: bool
    """Whether host paths can be mounted (false for a remote daemon)."""

    def unavailable(self) -> str | None:
        """Null when it can be used here, else why not and what to do, in one or two sentences. Cheap; may be cached."""

    def capabilities(self) -> Capabilities:
        """Measured on this host, not assumed."""

    def runtime(self) -> str:
        """Digest of what programs run on: the image's, or the environment lock's."""

    def packages(self) -> Mapping[str, str]:
        """Distribution name to version of what programs can import beside the standard library."""

    def launch(self, request: LaunchRequest) -> Launched:
        """Start one sandbox. Raises EngineUnavailable or LimitsNotEnforced."""
