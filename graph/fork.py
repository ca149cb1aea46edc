"""A new run that begins in the middle of an old one. The old run stays as it is; the gate and people judge anew."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple, empty_checkpoint
from langgraph.types import StateSnapshot

from ..policies.verdict import Approved, sha256_text
from .errors import StoreError
from .programs import keep_program
from .progress import tree_sha256
from .state import Attempt
from .task import Task

AFTER_THE_GATE = ("prepare", "run")


def fork_point(snapshots: Sequence[StateSnapshot], node: str, *, policy_sha256: str, edited: bool) -> StateSnapshot:
    """The last checkpoint from which `node` was about to run.

    Raises StoreError where the run never came there, where an edited program would go unjudged, and where the old verdict
    or a person's approval does not hold for a new run.
    """
    found = [snapshot for snapshot in snapshots if node in snapshot.next]
    if not found:
        seen = dict.fromkeys(name for snapshot in snapshots for name in snapshot.next if not name.startswith("__"))
        raise StoreError(f"the run never came to {node!r}; it can be forked from {', '.join(seen) or 'nowhere'}")
    if edited and node != "check_policy":
        raise StoreError("an edited program is judged first: fork with --from check_policy")
    point = found[-1]
    approved = point.values.get("approved")
    if node in AFTER_THE_GATE and isinstance(approved, Approved):
        if approved.decided_by == "person":
            raise StoreError("a person approved this program for the old run only: fork with --from check_policy")
        if approved.verdict.policy_sha256 != policy_sha256:
            raise StoreError("the policy has changed since this program was judged: fork with --from check_policy")
    return point


def plant(saver: BaseCheckpointSaver[Any], point: StateSnapshot, *, run_id: str, values: dict[str, Any]) -> None:
    """Write the checkpoint as the first one of another thread, these values of the state replaced."""
    old = saver.get_tuple(point.config)
    if old is None:
        raise StoreError("the checkpoint to fork from is gone; fork from a later node")
    versions = _with_versions(old, values)
    checkpoint = {**old.checkpoint, "id": empty_checkpoint()["id"],
                  "channel_values": {**old.checkpoint["channel_values"], **values},
                  "channel_versions": versions}
    saver.put({"configurable": {"thread_id": run_id, "checkpoint_ns": ""}}, checkpoint,  # type: ignore[arg-type]
              {"source": "fork", "step": old.metadata.get("step", -1), "parents": {}},
              versions)


def _with_versions(old: CheckpointTuple, values: dict[str, Any]) -> dict[str, Any]:
    """A value that is written for the first time needs a version of its own, or a saver leaves it out."""
    versions = dict(old.checkpoint["channel_versions"])
    newest = max(versions.values())
    return versions | {name: newest for name in values if name not in versions}


def edited_values(point: StateSnapshot, program: str, folder: Path) -> dict[str, Any]:
    """What an edited program changes in the state before the gate looks at it; the program is kept in `folder`."""
    values = point.values
    task: Task = values["task"]
    attempts: list[Attempt] = list(values.get("attempts") or [])
    if values.get("program") is None or not attempts:
        return {"task": task.model_copy(update={"program": program})}
    path = keep_program(folder, attempts[-1].number, program)
    attempts[-1] = attempts[-1].model_copy(update={
        "program": path, "program_sha256": sha256_text(program), "tree_sha256": tree_sha256(program),
        "origin": "edited", "verdict": None, "findings": [], "reason": None, "detail": ""})
    return {"program": program, "origin": "edited", "attempts": attempts, "verdict": None, "approved": None}


def copy_attempts(point: StateSnapshot, old: Path, new: Path) -> None:
    """Programs and outputs of the attempts that were begun before the fork, for a new run. Links stay links."""
    for number in range(len(point.values.get("attempts") or []) + 1):
        source = old / "attempts" / f"{number:03d}"
        if source.is_dir():
            shutil.copytree(source, new / "attempts" / source.name, dirs_exist_ok=True, symlinks=True)
