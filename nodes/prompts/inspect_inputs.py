"""fumehood's inspection program: looks at every file of the workspace and delivers what a careful analyst would note.

Run in a sandbox, never on the host: the files may be made to hurt their parsers. It uses no pandas, so that it starts
quickly, and reads little: large files by their beginning.
"""

import gzip
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .inspect_formats import (
    LARGEST_JSON,
    inspect_excel,
    inspect_image,
    inspect_json,
    inspect_parquet,
    inspect_pdf,
    inspect_sqlite,
    inspect_tar,
    inspect_words,
    inspect_zip,
)
from .inspect_text import HEAD, Facts, clean, encoding_of, inspect_table

FILES = 200
INSPECTED = 40
PER_FILE_S = 1.5
ALL_S = 3.0
"""Seconds of processor time, so that a busy machine shows no less. Beyond them, files are listed and not opened."""

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"PAR1", "parquet"), (b"%PDF", "pdf"), (b"SQLite format 3\0", "sqlite"), (b"\x89PNG\r\n", "image"),
    (b"\xff\xd8\xff", "image"), (b"GIF8", "image"), (b"II*\0", "image"), (b"MM\0*", "image"), (b"BM", "image"),
    (b"\x1f\x8b", "gzip"), (b"BZh", "tar"), (b"\xfd7zXZ\0", "tar"),
)
_UNREADABLE: tuple[tuple[bytes, str], ...] = (
    (b"\x89HDF\r\n", "HDF5: there is no library for it here"), (b"\xd0\xcf\x11\xe0", "an old Office file (.xls, .doc): "
     "there is no library for it here; save it as .xlsx"), (b"ARROW1", "Arrow IPC (Feather): read it with pyarrow.feather"),
    (b"7z\xbc\xaf", "a 7z archive: there is no library for it here"), (b"Rar!", "a RAR archive: there is no library for it"),
    (b"\x28\xb5\x2f\xfd", "zstandard: read it with pyarrow.CompressedInputStream"),
)


_IN_TEXT = frozenset(b"\t\n\r\f\x1b")


class TooSlow(BaseException):
    """Not an Exception: parsers swallow those."""


@contextmanager
def _within(seconds: float) -> Iterator[None]:
    def late(*_: object) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, max(0.05, seconds))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _kind(path: str, head: bytes) -> str:
    for magic, kind in _MAGIC:
        if head.startswith(magic) and not (magic == b"BM" and path.lower().endswith((".csv", ".txt", ".tsv"))):
            return kind
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image"
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "excel" if path.lower().endswith((".xlsx", ".xlsm")) else "zip"
    return "tar" if head[257:262] == b"ustar" else "text"


_READERS: dict[str, Callable[[str], Facts]] = {
    "parquet": inspect_parquet, "excel": inspect_excel, "pdf": inspect_pdf, "image": inspect_image, "zip": inspect_zip,
    "tar": inspect_tar, "sqlite": inspect_sqlite,
}


def _look(path: str, size: int) -> Facts:
    with open(path, "rb") as file:
        head = file.read(HEAD)
    if not head:
        return {"kind": "empty file", "facts": ["0 bytes: there is nothing in it"]}
    for magic, words in _UNREADABLE:
        if head.startswith(magic):
            return {"kind": "binary", "facts": [words]}
    kind = _kind(path, head)
    if kind == "gzip":
        return _unpacked(path)
    if kind != "text":
        return _READERS[kind](path)
    return _text(path, head, size)


def _unpacked(path: str) -> Facts:
    """A compressed tar archive, or one compressed file, of which the beginning is looked at."""
    if path.lower().endswith((".tar.gz", ".tgz")):
        return inspect_tar(path)
    with gzip.open(path) as file:
        head = file.read(HEAD)
    whole = len(head) < HEAD
    encoding, notes = encoding_of(head, whole)
    text = head.decode(encoding, "replace")
    inner = (inspect_json(text, whole) or inspect_table(None, text, encoding, whole)
             or inspect_words(text, encoding, whole))
    return {**inner, "kind": f"{inner['kind']}, gzip-compressed", "facts": [*notes, *inner["facts"]], "encoding": encoding}


def _text(path: str, head: bytes, size: int) -> Facts:
    encoding, notes = encoding_of(head, size <= HEAD)
    if not encoding.startswith("utf-16") and sum(byte < 32 and byte not in _IN_TEXT for byte in head) > len(head) // 20:
        return {"kind": "binary", "facts": ["no known format, not text"]}
    text = head.decode(encoding, "replace")
    whole = size <= HEAD
    name = path.lower()
    if text.lstrip("\ufeff \t\r\n")[:1] in ("{", "["):
        if not whole and size <= LARGEST_JSON and not name.endswith((".jsonl", ".ndjson")):
            with open(path, encoding=encoding, errors="replace") as file:
                found = inspect_json(file.read(), True)
        else:
            found = inspect_json(text.lstrip("\ufeff"), whole)
        if found is not None:
            return {**found, "facts": [*notes, *found["facts"]], "encoding": encoding}
        if name.endswith((".json", ".jsonl", ".ndjson")):
            notes.append("it is not valid JSON")
    found = None
    if not name.endswith((".md", ".py", ".html", ".xml", ".log", ".json")):
        found = inspect_table(path, text, encoding, whole)
    found = found or inspect_words(text, encoding, whole)
    return {**found, "facts": [*notes, *found["facts"]], "encoding": encoding}


def _inspected(path: str, size: int, until: float) -> Facts:
    facts: Facts = {"name": clean(path, 300), "bytes": size}
    left = min(PER_FILE_S, until - time.process_time())
    if left <= 0:
        return {**facts, "problem": "not looked at: no time was left"}
    try:
        with _within(left):
            return {**facts, **_look(path, size)}
    except TooSlow:
        return {**facts, "problem": "looking at it took too long"}
    except MemoryError:
        return {**facts, "problem": "looking at it needs more memory than there is"}
    except ImportError as error:
        return {**facts, "problem": f"the library to read it is missing: {clean(error)}"}
    except Exception as error:
        # Parsers raise anything at broken files; which one it was is what the model needs to know.
        return {**facts, "problem": f"cannot be read: {type(error).__name__}: {clean(error, 200)}"}


def inspect_workspace() -> dict[str, Any]:
    """What there is to know of the files below the working folder, small ones first where time is short."""
    found: list[str] = []
    for folder, folders, files in os.walk("."):
        folders.sort()
        found += [os.path.normpath(os.path.join(folder, name)) for name in sorted(files)]
        if len(found) > FILES:
            break
    sizes = {path: os.path.getsize(path) for path in found[:FILES] if os.path.isfile(path)}
    until = time.process_time() + ALL_S
    order = sorted(sizes, key=lambda path: sizes[path])[:INSPECTED]
    looked = {path: _inspected(path, sizes[path], until) for path in order}
    entries = [looked.get(path) or {"name": clean(path, 300), "bytes": sizes[path], "problem": "listed only"}
               for path in sizes]
    return {"version": 1, "files": entries, "left_out": max(0, len(found) - len(entries))}
