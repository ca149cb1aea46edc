"""What goes into the sandbox's Python: the shipped pinned packages, and on top of them those of an operator.

An operator's file extends the shipped packages. Where it asks for another version of one of them, its word counts; what
then does not fit together is an error before anything is built.
"""

import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .errors import BadRequest, SandboxError
from .packages import (
    Progress,
    install_wheels,
    is_hash_pinned,
    read_requirements,
    resolves,
    shipped_requirements,
    silent,
)

_NAME = re.compile(r"\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\]\s*)?(?:[=<>!~;@#\\(]|$)")
_PIN = re.compile(r"([A-Za-z0-9][\w.-]*)==([^\s;\\]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Requirements as read: nothing of them is installed yet."""

    own: Path | None
    """The operator's file; None where the shipped packages are all."""
    shipped: Mapping[str, str]
    """Distribution name to its lines of the shipped lock, hashes included."""
    content: bytes
    """All of it, for the digest."""


def read_wanted(requirements: Path | None, *, extend: bool = True) -> Wanted:
    """The shipped packages, and those of the operator's file `requirements` on top; with `extend` off those alone.

    Raises BadRequest where there is no such file, or no lock for this Python and no file either.
    """
    if requirements is None:
        return _shipped_alone()
    own, content = read_requirements(requirements)
    try:
        lock = shipped_requirements() if extend else None
    except BadRequest:  # no lock for this Python: then the operator's file is all there can be
        lock = None
    if own == lock:
        return _shipped_alone()
    below = lock.read_bytes() if lock else b""
    return Wanted(own=own, shipped=_blocks(below), content=below + b"\n# extended by\n" + content if below else content)


def _shipped_alone() -> Wanted:
    _, content = read_requirements(None)
    return Wanted(own=None, shipped=_blocks(content), content=content)


def install_wanted(wanted: Wanted, target: Path, *, platform: str | None = None, progress: Progress = silent) -> None:
    """Put all of it into `target` (an empty folder), as `install_wheels` does.

    Raises SandboxError where the operator's packages cannot stand beside the shipped ones.
    """
    with tempfile.TemporaryDirectory(prefix="fumehood-wanted-") as scratch:
        lock, pins = Path(scratch) / "shipped.txt", Path(scratch) / "shipped-versions.txt"
        own = wanted.own
        kept = wanted.shipped if own is None else _kept(wanted, own, pins, platform, progress)
        lock.write_text("".join(kept.values()), "utf-8")
        pins.write_text(_versions(kept), "utf-8")
        if own is not None and is_hash_pinned(own.read_bytes()):
            install_wheels([lock, own] if kept else [own], target, platform=platform, progress=progress)
            return
        if kept:
            # By hash and without looking for more: with a package of the operator's in place of one of them, the lock
            # is not complete by itself. The second call sees all of it together.
            install_wheels([lock], target, platform=platform, progress=progress, with_dependencies=own is None)
        if own is not None:
            install_wheels([own, pins] if kept else [own], target, platform=platform, progress=progress)


def _kept(wanted: Wanted, own: Path, pins: Path, platform: str | None, progress: Progress) -> Mapping[str, str]:
    """The shipped packages without those of which the operator wants another version."""
    content = own.read_bytes()
    both = sorted(_names(content.decode("utf-8", "replace")) & set(wanted.shipped))
    if not both:
        return wanted.shipped
    if not is_hash_pinned(content):
        pins.write_text(_versions(wanted.shipped), "utf-8")
        if resolves([own, pins], platform=platform):
            return wanted.shipped
    kept = {name: lines for name, lines in wanted.shipped.items() if name not in both}
    progress(f"{own.name} decides over {', '.join(both)}; the shipped versions give way")
    pins.write_text(_versions(kept), "utf-8")
    if kept and not is_hash_pinned(content) and not resolves([own, pins], platform=platform):
        raise SandboxError(f"{own.name} does not go together with the shipped packages: the versions it asks for of "
                           f"{', '.join(both)}, or what they need, do not fit the others. Loosen them, or start from "
                           f"the shipped versions: {', '.join(_versions(wanted.shipped).split())}")
    return kept


def beyond_shipped(packages: Mapping[str, str]) -> str:
    """How installed packages differ from the shipped ones, for a person; empty where they do not."""
    shipped = dict(line.split("==") for line in _versions(_shipped_alone().shipped).split())
    added = [f"{name} {version}" for name, version in sorted(packages.items()) if name not in shipped]
    other = [f"{name} {packages[name]} (shipped: {version})" for name, version in sorted(shipped.items())
             if packages.get(name, version) != version]
    missing = sorted(set(shipped) - set(packages))
    parts = [("added", added), ("in another version", other), ("not there", missing)]
    return "; ".join(f"{word}: {', '.join(names)}" for word, names in parts if names)


def _blocks(lock: bytes) -> dict[str, str]:
    """The lock, package by package."""
    blocks: dict[str, str] = {}
    name = None
    for line in lock.decode("utf-8").splitlines(keepends=True):
        pin = _PIN.match(line)
        name = _canonical(pin[1]) if pin else name
        if name is not None:
            blocks[name] = blocks.get(name, "") + line
    return blocks


def _versions(blocks: Mapping[str, str]) -> str:
    """The same without hashes: a line `name==version` each."""
    return "".join(f"{name}=={pin[2]}\n" for name, lines in blocks.items() if (pin := _PIN.match(lines)))


def _names(text: str) -> set[str]:
    """Distributions that a requirements file names itself; what it includes from elsewhere is left to the installer."""
    found = (_NAME.match(line) for line in text.splitlines())
    return {_canonical(match[1]) for match in found if match}


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
