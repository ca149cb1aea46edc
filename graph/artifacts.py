"""The declared outputs held against the files that the run made: there, not empty, of their type, within bounds."""

import difflib
from collections.abc import Sequence

from ..sandbox.evidence import Artifact, RejectedArtifact
from ..sandbox.manifest import OutputSpec
from ..sandbox.media import satisfies
from .state import Check

_EMPTY = "inode/x-empty"


def check_outputs(specs: Sequence[OutputSpec], artifacts: Sequence[Artifact], rejected: Sequence[RejectedArtifact],
                  ) -> tuple[list[Check], list[str], list[str]]:
    """One check per declared output, and in sentences what is missing and what is invalid.

    `artifacts`: the files that this run's programs made and the sandbox handed over. `rejected`: what lay there and was
    refused (links, pipes, too large).
    """
    checks, missing, invalid = [], [], []
    for spec in specs:
        found = [artifact for artifact in artifacts if spec.matches(artifact.path)]
        refused = [item for item in rejected if _refuses(spec, item.path)]
        faults = [fault for artifact in found if (fault := _fault(spec, artifact))]
        faults += [f"{item.path} was refused: {item.reason}" for item in refused]
        if not found and not refused:
            missing.append(_missing(spec, artifacts))
        # A pattern is met by the files that pass; one good file does not excuse a bad one.
        invalid += faults
        detail = "; ".join(faults) if faults else "" if found else missing[-1]
        checks.append(Check(name=f"output {spec.pattern}", held=bool(found) and not faults, detail=detail))
    return checks, missing, list(dict.fromkeys(invalid))


def _refuses(spec: OutputSpec, path: str) -> bool:
    """Whether a refused path is the declared one, or a folder (a link to one) on the way to it."""
    wanted = (spec.pattern, f"output/{spec.pattern}")
    return spec.matches(path) or any(name.startswith(f"{path.rstrip('/')}/") for name in wanted)


def _fault(spec: OutputSpec, artifact: Artifact) -> str:
    name = artifact.path
    if artifact.bytes == 0 and spec.min_bytes > 0:
        return f"{name} is empty"
    if artifact.bytes < spec.min_bytes:
        return f"{name} has {artifact.bytes:,} bytes; at least {spec.min_bytes:,} are expected"
    if artifact.bytes > spec.max_bytes:
        return f"{name} has {artifact.bytes:,} bytes; at most {spec.max_bytes:,} are allowed"
    if spec.media_type and artifact.bytes and not _of_type(artifact.media_type, spec.media_type):
        return f"{name} is {artifact.media_type} by its content, and {spec.media_type} is declared"
    return ""


def _of_type(found: str, declared: str) -> bool:
    kind, _, rest = declared.partition("/")
    return found.partition("/")[0] == kind if rest == "*" else satisfies(found, declared)


def _missing(spec: OutputSpec, artifacts: Sequence[Artifact]) -> str:
    where = spec.pattern if "/" in spec.pattern else f"output/{spec.pattern}"
    if not artifacts:
        return f"{where} was not written; no file was"
    paths = [artifact.path for artifact in artifacts]
    bare = where.rsplit("/", 1)[-1].lower()
    close = [path for path in paths if path.rsplit("/", 1)[-1].lower() == bare]
    close += difflib.get_close_matches(where, paths, 2, 0.7)
    there = ", ".join(dict.fromkeys([*close, *paths][:6]))
    return f"{where} was not written; there is {there}"
