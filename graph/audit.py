"""The record of what happened: JSON lines, only ever appended, each bound to the one before by its hash.

The chain shows a changed, inserted or removed line; a head file beside it shows a cut end. Somebody who can write both
files can forge both: copy the head elsewhere where that matters. A line holds names, digests and numbers, never a
program, a prompt, an output or a secret.
"""

import fcntl
import hashlib
import json
import math
import os
import re
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from .errors import StoreError

START = "0" * 64
MAX_TEXT = 500
"""Characters of one value; longer ones are cut and named by their digest."""
_FIELD = re.compile(r"[a-z][a-z0-9_]{0,40}")
_OWN = ("at", "event", "hash", "key", "prev", "run_id", "seq")

Value = str | int | float | bool | None | list[str]


class BadLine(NamedTuple):
    """The first line that does not belong there."""

    line: int
    """1-based; one past the last where the end is missing."""
    why: str


class Audit:
    """One audit file. Safe to append to from several threads and processes at once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._head = path.with_name(path.name + ".head")
        self._guard = threading.Lock()
        self._known: dict[str, set[str]] = {}

    def begin(self, run_id: str) -> None:
        """Say that this run is new, so that nothing of it has to be looked up."""
        self._known[run_id] = set()

    def forget(self, run_id: str) -> None:
        """Another process may have written of this run: look it up when it comes again."""
        self._known.pop(run_id, None)

    def append(self, run_id: str, event: str, **fields: Value) -> None:
        """Add one line. Raises StoreError when it cannot be written, and then nothing of it is there."""
        with self._locked() as descriptor:
            self._append(descriptor, run_id, event, None, fields)

    def append_once(self, run_id: str, name: str, event: str, **fields: Value) -> bool:
        """Add one line unless this run already has one of this name; whether it was added.

        A node that is executed again after a kill comes here again; the file itself tells what was written.
        """
        with self._locked() as descriptor:
            known = self._known.get(run_id)
            if known is None:
                known = self._known[run_id] = {entry["key"] for entry in self.entries(run_id) if entry.get("key")}
            if name in known:
                return False
            self._append(descriptor, run_id, event, name, fields)
            known.add(name)
        return True

    def entries(self, run_id: str | None = None) -> Iterator[dict[str, Any]]:
        """The lines as they stand, unverified, oldest first; of one run where it is given."""
        wanted = None if run_id is None else json.dumps(run_id).encode()
        try:
            handle = self.path.open("rb")
        except FileNotFoundError:
            return
        with handle:
            for line in handle:
                if wanted is not None and wanted not in line:
                    continue
                try:
                    entry = json.loads(line)
                except ValueError:
                    continue
                if isinstance(entry, dict) and (run_id is None or entry.get("run_id") == run_id):
                    yield entry

    @contextmanager
    def _locked(self) -> Iterator[int]:
        with self._guard:
            try:
                descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
            except OSError as error:
                raise StoreError(f"the audit {self.path} cannot be opened ({error}); nothing runs without it"
                                 ) from error
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX)
                yield descriptor
            finally:
                os.close(descriptor)

    def _append(self, descriptor: int, run_id: str, event: str, name: str | None, fields: Mapping[str, Value]) -> None:
        for field in fields:
            if not _FIELD.fullmatch(field) or field in _OWN:
                raise ValueError(f"{field!r} cannot be a field of an audit line")
        size = os.fstat(descriptor).st_size
        end, last = _last_line(descriptor, size)
        if end < size:
            # Cut short by a full disk or a power failure; whoever wrote it was never told that it was written.
            os.ftruncate(descriptor, end)
        previous = _parsed(last) or {}
        sequence, prev = previous.get("seq", 0), previous.get("hash", START)
        entry = {**{field: _bounded(value) for field, value in fields.items() if value is not None},
                 "at": round(time.time(), 3), "event": event, "run_id": run_id, "seq": sequence + 1, "prev": prev,
                 **({"key": name} if name is not None else {})}
        entry["hash"] = _hash(entry)
        line = _canonical(entry) + b"\n"
        try:
            written = os.write(descriptor, line)
        except OSError as error:
            raise StoreError(f"the audit {self.path} cannot be written ({error}); nothing runs without it") from error
        if written != len(line):
            os.ftruncate(descriptor, end)
            raise StoreError(f"the audit {self.path} cannot be written (disk full); nothing runs without it")
        self._write_head(entry)

    def _write_head(self, entry: Mapping[str, Any]) -> None:
        # Rewritten in place, always of one size, under the lock of the audit file.
        text = f"{entry['seq']:020d} {entry['hash']}\n".encode()
        descriptor = os.open(self._head, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            os.pwrite(descriptor, text, 0)
        finally:
            os.close(descriptor)

    def head(self) -> tuple[int, str] | None:
        """Number and hash of the newest line, as noted beside the file; None where there is no note."""
        try:
            sequence, digest = self._head.read_text("ascii").split()
            return int(sequence), digest
        except FileNotFoundError:
            return None
        except ValueError:
            return (0, "unreadable")

    def verify(self) -> BadLine | None:
        """The first bad line, or None where all hold and the end is there. A file that was never written is good."""
        head = self.head()
        if not self.path.exists():
            return None if head is None else BadLine(1, f"the file is gone; it had {head[0]} lines")
        with self._locked():
            head = self.head()
            bad = verify(self.path, head=head)
            if bad is None and head is None and self.path.stat().st_size:
                return BadLine(1, f"{self._head.name} is gone, so that a cut end cannot be told from a whole file")
            return bad


def verify(path: Path, *, head: tuple[int, str] | None = None) -> BadLine | None:
    """The first line that is no canonical JSON line, does not follow its predecessor, or fails its own hash.

    `head`: number and hash of the newest line as kept elsewhere; with it a cut end is seen too.
    """
    prev, sequence, number = START, 0, 0
    seen_head = head is None
    with path.open("rb") as handle:
        for number, line in enumerate(handle, start=1):
            entry = _parsed(line)
            if entry is None or not line.endswith(b"\n"):
                return BadLine(number, "it is no whole JSON line")
            if _canonical(entry) + b"\n" != line:
                return BadLine(number, "it is not written as fumehood writes lines")
            if entry.get("seq") != sequence + 1:
                return BadLine(number, f"it is numbered {entry.get('seq')} and should be {sequence + 1}: "
                                       "lines were removed, inserted or moved")
            if entry.get("prev") != prev:
                return BadLine(number, "it does not follow the line before it")
            if entry.get("hash") != _hash(entry):
                return BadLine(number, "its content was changed")
            prev, sequence = entry["hash"], entry["seq"]
            if head is not None and head[0] == sequence:
                if head[1] != prev:
                    return BadLine(number, "it is not the line that the head file names: the chain was rewritten")
                seen_head = True
    if not seen_head:
        return BadLine(number + 1, f"the end is missing: the file had {head[0] if head else 0} lines")
    return None


def _last_line(descriptor: int, size: int) -> tuple[int, bytes]:
    """End of the last whole line and that line."""
    block = 4096
    while True:
        start = max(0, size - block)
        data = os.pread(descriptor, size - start, start)
        end = data.rfind(b"\n")
        begin = data.rfind(b"\n", 0, end) if end >= 0 else -1
        if begin >= 0 or start == 0:
            return (start + end + 1, data[begin + 1:end + 1]) if end >= 0 else (0, b"")
        block *= 4


def _parsed(line: bytes) -> dict[str, Any] | None:
    try:
        entry = json.loads(line)
    except ValueError:
        return None
    return entry if isinstance(entry, dict) else None


def _canonical(entry: Mapping[str, Any]) -> bytes:
    return json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")


def _hash(entry: Mapping[str, Any]) -> str:
    return hashlib.sha256(_canonical({key: value for key, value in entry.items() if key != "hash"})).hexdigest()


def _bounded(value: Value) -> Value:
    if isinstance(value, str) and len(value) > MAX_TEXT:
        digest = hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()
        return f"{value[:MAX_TEXT]}… sha256 {digest}"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return [str(_bounded(item)) for item in value[:200]] if isinstance(value, list) else value
