"""Part of fumehood's inspection program: JSON, Parquet, Excel, PDF, images, archives, databases."""

import json
import sqlite3
import tarfile
import zipfile
from collections import Counter
from importlib import import_module
from typing import Any

from .inspect_text import CELL, SHOWN_COLUMNS, SHOWN_ROWS, Facts, clean, column_of

LISTED = 40
LARGEST_JSON = 16 * 1024 * 1024
LARGEST_UNPACKED = 400 * 1024 * 1024
_DEEPEST = 4
_KEYS = 30


def _named(value: Any) -> str:
    kinds = ((type(None), "null"), (bool, "boolean"), (int, "integer"), (float, "number"), (str, "text"))
    return next((name for kind, name in kinds if isinstance(value, kind)), "list" if isinstance(value, list) else "object")


def _shown(value: Any) -> str:
    """A JSON value as it stands in the file."""
    return clean(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), 40)


def _outline(value: Any, deep: int = 0) -> str:
    """The shape of a JSON value in one line."""
    if isinstance(value, dict):
        if deep >= _DEEPEST or not value:
            return f"object of {len(value)} keys"
        parts = [f"{clean(key)}: {_outline(item, deep + 1)}" for key, item in list(value.items())[:_KEYS]]
        return "{" + ", ".join(parts) + (", …" if len(value) > _KEYS else "") + "}"
    if isinstance(value, list):
        if not value or deep >= _DEEPEST:
            return f"list of {len(value)}"
        kinds = Counter(_named(item) for item in value[:1000])
        inner = _outline(value[0], deep + 1) if len(kinds) == 1 else " or ".join(kinds)
        return f"list of {len(value)} x {inner}"
    return _named(value)


def _records(records: list[dict[str, Any]]) -> tuple[list[Facts], int, list[list[str]]]:
    """Columns of a list of objects, keys in the order of their first use."""
    keys = list(dict.fromkeys(key for record in records for key in record))
    columns = []
    for key in keys[:SHOWN_COLUMNS]:
        values = [record[key] for record in records if key in record]
        kinds = Counter(_named(value) for value in values)
        notes = [f"missing in {len(records) - len(values)} of {len(records)}"] if len(values) < len(records) else []
        columns.append({"name": clean(key), "type": " or ".join(kind for kind, _ in kinds.most_common(4)), "notes": notes,
                        "values": [_shown(value) for value in values[:3]]})
    rows = [[_shown(record.get(key, "")) for key in keys[:SHOWN_COLUMNS]] for record in records[:SHOWN_ROWS]]
    return columns, max(0, len(keys) - SHOWN_COLUMNS), rows


def inspect_json(text: str, whole: bool) -> Facts | None:
    """A JSON document, or one JSON value per line; None where the text is neither."""
    lines = [line for line in text.splitlines() if line.strip()]
    if whole:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            value = None
        else:
            facts: Facts = {"kind": "JSON", "facts": [clean(_outline(value), 3000)]}
            if isinstance(value, list) and value and all(isinstance(item, dict) for item in value[:1000]):
                facts["facts"] = [f"list of {len(value)} objects"]
                facts["columns"], facts["more_columns"], facts["rows"] = _records(
                    [item for item in value[:1000] if isinstance(item, dict)])
            return facts
    if not whole and len(lines) > 1:
        lines.pop()
    records = []
    for line in lines[:1000]:
        try:
            records.append(json.loads(line))
        except (ValueError, RecursionError):
            return None
    if len(records) < 2 or not all(isinstance(record, dict) for record in records):
        return None
    columns, more, rows = _records(records)
    many = f"{len(lines)} lines" if whole else f"more than {len(lines)} lines"
    return {"kind": "JSON Lines", "facts": [f"one JSON object per line, {many}"], "columns": columns,
            "more_columns": more, "rows": rows}


def inspect_parquet(path: str) -> Facts:
    file = import_module("pyarrow.parquet").ParquetFile(path)
    schema, meta = file.schema_arrow, file.metadata
    columns = [{"name": clean(field.name), "type": clean(field.type), "notes": [] if field.nullable else ["never null"]}
               for field in list(schema)[:SHOWN_COLUMNS]]
    rows: list[list[str]] = []
    for batch in file.iter_batches(batch_size=SHOWN_ROWS):
        rows = [[clean(value, 40) for value in list(record.values())[:SHOWN_COLUMNS]] for record in batch.to_pylist()]
        break
    return {"kind": "Parquet", "facts": [f"{meta.num_rows} rows, {len(schema)} columns, {meta.num_row_groups} row groups"],
            "columns": columns, "more_columns": max(0, len(schema) - SHOWN_COLUMNS), "rows": rows}


def inspect_excel(path: str) -> Facts:
    book = import_module("openpyxl").load_workbook(path, read_only=True, data_only=True)
    facts = [f"{len(book.sheetnames)} sheets: " + ", ".join(clean(name) for name in book.sheetnames[:20])]
    columns: list[Facts] = []
    shown: list[list[str]] = []
    for sheet in book.worksheets[:8]:
        rows = []
        for row in sheet.iter_rows(max_row=200, max_col=SHOWN_COLUMNS, values_only=True):
            rows.append(["" if cell is None else str(cell) for cell in row])
        filled = [row for row in rows if any(cell.strip() for cell in row)]
        facts.append(f"sheet {clean(sheet.title)}: {sheet.max_row or '?'} rows x {sheet.max_column or '?'} columns"
                     + (", empty" if not filled else ""))
        if filled:
            first = rows.index(filled[0])
            if first:
                facts.append(f"sheet {clean(sheet.title)}: the first {first} rows are empty")
            names, body = filled[0], filled[1:]
            columns += [{**column_of(name, [row[place] for row in body]), "part": clean(sheet.title)}
                        for place, name in enumerate(names) if any(row[place].strip() for row in filled)][:30]
            shown += [[clean(sheet.title), *(clean(cell, 40) for cell in row)] for row in body[:3]]
    facts.append("cells with formulas give the value that was saved last, or nothing")
    return {"kind": "Excel workbook", "facts": facts, "columns": columns[:SHOWN_COLUMNS],
            "more_columns": max(0, len(columns) - SHOWN_COLUMNS), "rows": shown}


def inspect_pdf(path: str) -> Facts:
    reader = import_module("pypdf").PdfReader(path, strict=False)
    if reader.is_encrypted:
        return {"kind": "PDF", "facts": ["encrypted: it may need a password"]}
    text = reader.pages[0].extract_text() if len(reader.pages) else ""
    lines = [clean(line, 120) for line in text.splitlines() if line.strip()]
    facts = [f"{len(reader.pages)} pages", f"page 1 has {len(text)} characters of text" if lines
             else "page 1 has no text layer: it may be a scan"]
    return {"kind": "PDF", "facts": facts, "lines": lines[:10]}


def inspect_image(path: str) -> Facts:
    with import_module("PIL.Image").open(path) as image:
        frames = getattr(image, "n_frames", 1)
        facts = [f"{image.format}, {image.width} x {image.height} pixels, mode {image.mode}"]
        if frames > 1:
            facts.append(f"{frames} frames")
        if "dpi" in image.info:
            facts.append(f"resolution {clean(image.info['dpi'])} dpi")
    return {"kind": "image", "facts": facts}


def inspect_zip(path: str) -> Facts:
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
    total = sum(member.file_size for member in members)
    facts = [f"{len(members)} members, {total} bytes unpacked"]
    if any(member.flag_bits & 1 for member in members):
        facts.append("some members need a password")
    facts += _odd_names([member.filename for member in members])
    return {"kind": "zip archive", "facts": facts,
            "members": [f"{clean(member.filename, 120)} ({member.file_size} bytes)" for member in members[:LISTED]]}


def inspect_tar(path: str) -> Facts:
    names: list[str] = []
    listed: list[str] = []
    total = 0
    with tarfile.open(path) as archive:
        for member in archive:
            names.append(member.name)
            total += member.size
            if len(listed) < LISTED:
                kind = "" if member.isreg() else " (folder)" if member.isdir() else " (link or device)"
                listed.append(f"{clean(member.name, 120)} ({member.size} bytes){kind}")
            if len(names) >= 5000 or total > LARGEST_UNPACKED:
                break
    return {"kind": "tar archive", "facts": [f"{len(names)} members or more, {total} bytes unpacked", *_odd_names(names)],
            "members": listed}


def _odd_names(names: list[str]) -> list[str]:
    odd = [name for name in names if name.startswith(("/", "\\")) or ".." in name.replace("\\", "/").split("/")]
    return [f"{len(odd)} members have names that lead outside: do not unpack them by name"] if odd else []


def inspect_sqlite(path: str) -> Facts:
    base = sqlite3.connect(f"file:{path.replace('%', '%25').replace('?', '%3f').replace('#', '%23')}?mode=ro&immutable=1",
                           uri=True)
    base.text_factory = lambda data: data.decode("utf-8", "backslashreplace")
    steps = [0]

    def tired() -> bool:
        steps[0] += 1
        return steps[0] > 2000

    base.set_progress_handler(tired, 10_000)
    facts, columns = [], []
    tables = [name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view') LIMIT 60")]
    for table in tables:
        quoted = '"' + table.replace('"', '""') + '"'
        try:
            count = str(base.execute(f"SELECT count(*) FROM {quoted}").fetchone()[0])
        except sqlite3.Error as error:
            count = f"not counted ({clean(error)})"
        facts.append(f"table {clean(table)}: {count} rows")
        columns += [{"name": clean(row[1]), "type": clean(row[2]) or "any", "notes": [], "part": clean(table)}
                    for row in base.execute(f"PRAGMA table_info({quoted})")]
    base.close()
    return {"kind": "SQLite database", "facts": facts or ["no tables"], "columns": columns[:SHOWN_COLUMNS],
            "more_columns": max(0, len(columns) - SHOWN_COLUMNS)}


def inspect_words(text: str, encoding: str, whole: bool) -> Facts:
    """Text that is no table and no JSON."""
    lines = text.splitlines()
    start = text.lstrip()[:200].lower()
    kind = "XML" if start.startswith("<?xml") else "HTML" if start.startswith(("<!doctype html", "<html")) else "text"
    many = f"{len(lines)} lines" if whole else f"more than {len(lines)} lines"
    longest = max((len(line) for line in lines), default=0)
    return {"kind": kind, "facts": [f"encoding {encoding}, {many}, longest line {longest} characters"],
            "lines": [clean(line, 2 * CELL) for line in lines[:12]]}
