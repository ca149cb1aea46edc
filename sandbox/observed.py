"""Evidence put together: what the witness saw, the inputs, and the limits as the kernel reads them back."""

import math
from collections.abc import Mapping
from typing import Any

from .engine import Capabilities
from .evidence import (
    Evidence,
    FileEvent,
    InputEvidence,
    LimitsEvidence,
    NetworkAttempt,
    ProcessEvent,
    RejectedArtifact,
    ToolCall,
    Witness,
)
from .limits import Held, Limits
from .manifest import Manifest

_MIB = 1024 * 1024


def limits_evidence(limits: Limits, capabilities: Capabilities, facts: Mapping[str, Any],
                    outside: Mapping[str, float | str | None]) -> LimitsEvidence:
    """Requested limits beside the effective ones. `facts`: the runner's message; `outside`: the engine's reading."""
    rlimits: Mapping[str, int | None] = facts["rlimits"]
    shared = facts["shared"]
    effective: dict[str, float | str | None] = {
        "wall_s": limits.wall_s,
        "cpu_s": rlimits.get("CPU"),
        "memory_mb": outside.get("memory_mb", _mib(rlimits.get("DATA"))),
        "processes": outside.get("tasks", rlimits.get("NPROC")),
        "workspace_mb": facts["scratch"]["bytes"] / _MIB,
        "file_size_mb": _mib(rlimits.get("FSIZE")),
        "open_files": rlimits.get("NOFILE"),
        "core_bytes": rlimits.get("CORE"),
        "shared_memory_mb": shared["bytes"] / _MIB if shared else None,
        "output_kb": limits.output_kb,
        "seccomp_mode": facts["confined"].get("Seccomp"),
        "no_new_privs": facts["confined"].get("NoNewPrivs"),
        "capabilities": facts["confined"].get("CapEff"),
        **{f"outside_{name}": value for name, value in outside.items() if name not in ("memory_mb", "tasks")},
    }
    held: dict[str, Held] = {
        "wall_s": "hard", "output_kb": "hard", "cpu_s": capabilities.cpu, "memory_mb": capabilities.memory,
        "processes": capabilities.processes, "workspace_mb": capabilities.disk, "files": "soft",
    }
    return LimitsEvidence(requested={k: float(v) for k, v in limits.model_dump().items()}, effective=effective, held=held)


def evidence_of(*, engine: str, runtime: str, witness: Witness, manifest: Manifest, report: Mapping[str, Any],
                limits: LimitsEvidence, environment: dict[str, str], tool_calls: list[ToolCall],
                rejected: list[RejectedArtifact] | None = None) -> Evidence:
    """`report`: the witness's, in the fields of Evidence; empty where the run broke before there was one."""
    read = [FileEvent.model_validate(event) for event in report.get("files_read", [])]
    opened = {event.path for event in read if not event.refused}
    return Evidence(
        engine=engine, runtime=runtime, witness=witness,
        inputs=[InputEvidence(path=i.name, sha256=i.sha256, read=i.name in opened) for i in manifest.inputs],
        files_read=read,
        files_written=[FileEvent.model_validate(event) for event in report.get("files_written", [])],
        network_attempts=[NetworkAttempt.model_validate(event) for event in report.get("network_attempts", [])],
        processes=[ProcessEvent.model_validate(event) for event in report.get("processes", [])],
        tool_calls=tool_calls, events_lost=int(report.get("events_lost", 0)),
        library_reads=int(report.get("library_reads", 0)), limits=limits, environment=environment,
        rejected_artifacts=rejected or [])


def rlimits_for(limits: Limits, capabilities: Capabilities) -> dict[str, int]:
    """What the child sets on itself. Memory and processes only where no cgroup holds them better."""
    memory = limits.memory_mb * _MIB
    wanted = {"CPU": math.ceil(limits.cpu_s), "FSIZE": limits.workspace_mb * _MIB, "CORE": 0, "NOFILE": 1024}
    if capabilities.memory != "hard":
        # Address space is far more than memory: scipy alone maps 256 MB that it never touches.
        wanted |= {"DATA": memory, "AS": 4 * memory + 2048 * _MIB}
    if capabilities.processes != "hard" and capabilities.pid_namespace:
        # Counted per user namespace: the runner itself is one. Without a namespace it would count the whole user's.
        wanted["NPROC"] = limits.processes + 1
    return wanted


def _mib(value: int | None) -> float | None:
    return None if value is None else value / _MIB
