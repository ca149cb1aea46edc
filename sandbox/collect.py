"""The host's side of collecting: what a sandbox sends becomes fresh files in a folder of the caller, and nothing else.

Names are data. They are split by the runner's "/" only, every part is checked again here, and each step down is made
relative to an open folder without following a link; no file that is there is ever opened for writing.
"""

import hashlib
import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

from .errors import SandboxFailed
from .evidence import Artifact, RejectedArtifact
from .limits import Limits
from .media import media_type
from .protocol import Channel, in_seconds

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FRESH = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_PLAIN_BYTES = 200
_ODD = "odd-names"
_COLLECT_S = 120.0


def collect(channel: Channel, folder: Path, known: Mapping[str, str], limits: Limits,
            ) -> tuple[list[Artifact], list[RejectedArtifact], set[str]]:
    """The files of a workspace that are not `known` (path → SHA-256) go below `folder`: what came, what was refused, and
    which paths are there now. Raises SandboxFailed."""
    store, artifacts, deadline = Store(folder), list[Artifact](), in_seconds(_COLLECT_S)
    max_bytes = limits.workspace_mb * 1024 * 1024
    channel.send({"op": "collect", "known": {from_printable(path): sha256 for path, sha256 in known.items()},
                  "max_files": limits.files, "max_bytes": max_bytes}, deadline=deadline)
    received = 0
    while (message := channel.receive_json(deadline=deadline)).get("op") == "file":
        path, size = str(message["path"]), int(message["bytes"])
        received += size
        if size < 0 or received > max_bytes or len(artifacts) >= limits.files:
            raise SandboxFailed("the sandbox sent more files than its workspace can hold")
        pump = partial(channel.receive_data, size, deadline=deadline)
        artifacts.append(store.receive(path, size, str(message["sha256"]), pump))
    rejected = [RejectedArtifact(path=printable(str(path)), reason=str(reason))
                for path, reason in message["rejected"][:2 * limits.files]]
    return artifacts, rejected, {printable(str(path)) for path in message["present"]}


class Store:
    """Writes one file after another below `folder`. Raises SandboxFailed for what no honest runner sends."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder

    def receive(self, path: str, size: int, sha256: str, pump: Callable[[Callable[[bytes], None]], None]) -> Artifact:
        """One file: `pump(take)` feeds the bytes to `take`."""
        parts = path.split("/")
        if any(part in ("", ".", "..") or "\0" in part for part in parts) or path.startswith("/"):
            raise SandboxFailed(f"the sandbox sent a file under the name {printable(path)!r}, which is none")
        stored = path if _is_plain(path) else f"{_ODD}/{hashlib.sha256(_bytes(path)).hexdigest()[:32]}"
        handle = self._create(stored.split("/"))
        digest = hashlib.sha256()

        def take(chunk: bytes) -> None:
            digest.update(chunk)
            view = memoryview(chunk)
            while view:
                view = view[os.write(handle, view):]

        try:
            pump(take)
            os.fchmod(handle, 0o644)
        finally:
            os.close(handle)
        if digest.hexdigest() != sha256:
            raise SandboxFailed(f"the file {printable(path)} arrived damaged")
        return Artifact(path=printable(path), bytes=size, sha256=sha256, stored=stored,
                        media_type=media_type(self._folder / stored))

    def _create(self, parts: list[str]) -> int:
        folder = os.open(self._folder, _DIRECTORY)
        try:
            for part in parts[:-1]:
                with suppress(FileExistsError):  # the open below refuses anything but a real folder
                    os.mkdir(part, 0o755, dir_fd=folder)
                inner = os.open(part, _DIRECTORY, dir_fd=folder)
                os.close(folder)
                folder = inner
            return os.open(parts[-1], _FRESH, 0o600, dir_fd=folder)
        except FileExistsError:
            raise SandboxFailed(f"a file is there already: {self._folder / '/'.join(parts)}") from None
        finally:
            os.close(folder)


def printable(path: str) -> str:
    """A name that may be shown: control and undecodable characters as backslash escapes, `\\\\` for a backslash."""
    shown = []
    for character in path:
        if character == "\\":
            shown.append("\\\\")
        elif character.isprintable():
            shown.append(character)
        else:
            shown.append("".join(f"\\x{byte:02x}" for byte in _bytes(character)))
    return "".join(shown)


def from_printable(shown: str) -> str:
    """The name that `printable` showed."""
    parts = re.split(r"(\\\\|(?:\\x[0-9a-f]{2})+)", shown)
    for at in range(1, len(parts), 2):
        escaped = parts[at]
        hexadecimal = escaped.replace("\\x", "")
        parts[at] = "\\" if escaped == "\\\\" else bytes.fromhex(hexadecimal).decode("utf-8", "surrogateescape")
    return "".join(parts)


def _is_plain(path: str) -> bool:
    return (path == printable(path) and path.split("/")[0] != _ODD
            and all(len(part.encode()) <= _PLAIN_BYTES for part in path.split("/")))


def _bytes(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # surrogates that stand for no byte
        return text.encode("utf-8", "surrogatepass")
