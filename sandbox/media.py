"""The media type of a file by its content. Names are the program's choice; a PNG named .csv is a PNG."""

import csv
import io
import json
import zipfile
from pathlib import Path

_HEAD = 64 * 1024
_JSON_BYTES = 16 * 1024 * 1024
_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"), (b"%PDF-", "application/pdf"), (b"PAR1", "application/vnd.apache.parquet"),
    (b"ARROW1", "application/vnd.apache.arrow.file"), (b"SQLite format 3\0", "application/vnd.sqlite3"),
    (b"\x1f\x8b", "application/gzip"), (b"BZh", "application/x-bzip2"), (b"\xfd7zXZ\0", "application/x-xz"),
    (b"\x93NUMPY", "application/x-npy"), (b"\x89HDF\r\n\x1a\n", "application/x-hdf5"), (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"), (b"BM", "image/bmp"), (b"\x7fELF", "application/x-elf"),
)
_OFFICE = (("xl/", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
           ("word/", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
           ("ppt/", "application/vnd.openxmlformats-officedocument.presentationml.presentation"))
_PICKLE = tuple(bytes([0x80, version]) for version in (2, 3, 4, 5))
_TEXT = "text/plain"


def media_type(path: Path) -> str:
    """The type, `application/octet-stream` where the content tells nothing. Reads at most 16 MB."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if not head:
        return "inode/x-empty"
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return "image/webp"
    if head.startswith(b"PK\x03\x04"):
        return _zip_type(path)
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            return kind
    if head.startswith(_PICKLE) and b"\0" in head:
        return "application/x-python-pickle"
    return _text_type(path, head)


def satisfies(found: str, required: str) -> bool:
    """Whether a type by content meets a required one. What content cannot tell apart (markdown and plain text, CSV of
    one column) passes as the plainer type."""
    if found == required:
        return True
    if found == _TEXT:
        return required in ("text/markdown", "text/csv", "text/tab-separated-values")
    return required == _TEXT and found.startswith("text/")


def _zip_type(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return "application/octet-stream"
    if "[Content_Types].xml" in names:
        for prefix, kind in _OFFICE:
            if any(name.startswith(prefix) for name in names):
                return kind
    return "application/zip"


def _text_type(path: Path, head: bytes) -> str:
    try:
        text = head.decode("utf-8")
    except UnicodeDecodeError as error:
        # A character cut at the end of the head is no fault of the file.
        if len(head) < _HEAD or error.start < len(head) - 4:
            return "application/octet-stream"
        text = head[:error.start].decode("utf-8")
    if any(ord(character) < 32 and character not in "\t\n\r\f" for character in text):
        return "application/octet-stream"
    start = text.lstrip("\ufeff \t\r\n")
    lowered = start[:200].lower()
    if lowered.startswith(("<!doctype html", "<html")):
        return "text/html"
    if lowered.startswith("<svg") or (lowered.startswith("<?xml") and "<svg" in start[:2000].lower()):
        return "image/svg+xml"
    if lowered.startswith("<?xml"):
        return "application/xml"
    if start[:1] in ("{", "["):
        return _json_type(path)
    return _table_type(text) or _TEXT


def _json_type(path: Path) -> str:
    if path.stat().st_size > _JSON_BYTES:
        return _TEXT
    try:
        text = path.read_text("utf-8")
        try:
            json.loads(text)
        except ValueError:
            lines = [line for line in text.splitlines() if line.strip()]
            if len(lines) < 2 or not all(isinstance(json.loads(line), (dict, list)) for line in lines):
                return _TEXT
            return "application/x-ndjson"
    except (ValueError, RecursionError):
        return _TEXT
    return "application/json"


def _table_type(text: str) -> str | None:
    """CSV or TSV: the same number of fields, at least two, in the first lines."""
    lines = text.splitlines()[:50]
    for delimiter, kind in (("\t", "text/tab-separated-values"), (",", "text/csv"), (";", "text/csv")):
        try:
            rows = [row for row in csv.reader(io.StringIO("\n".join(lines)), delimiter=delimiter) if row]
        except csv.Error:
            continue
        if len(rows) > 1:
            # The last line may be cut, by the head's end or inside a quoted field.
            widths = {len(row) for row in (rows[:-1] if len(rows) > 2 else rows)}
            if len(widths) == 1 and widths.pop() > 1:
                return kind
    return None
