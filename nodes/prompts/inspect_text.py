"""Part of fumehood's inspection program: encodings, tables as text, and what their columns hold."""

import codecs
import csv
import io
import re
import time
from collections import Counter
from typing import Any

HEAD = 262_144
"""Bytes of a file that are looked at closely."""
COUNTED = 64 * 1024 * 1024
COUNTING_S = 0.8
SAMPLE = 2000
SHOWN_ROWS = 5
SHOWN_COLUMNS = 60
CELL = 80

Facts = dict[str, Any]


def clean(value: object, longest: int = CELL) -> str:
    """Printable text, whatever was in the file: control and format characters and lone surrogates as escapes, cut."""
    text = str(value)
    cut = len(text) > longest
    letters = (letter if letter.isprintable() else letter.encode("unicode_escape", "backslashreplace").decode("ascii")
               for letter in text[:longest])
    return "".join(letters) + ("…" if cut else "")


def encoding_of(data: bytes, whole: bool) -> tuple[str, list[str]]:
    """A codec that reads these bytes, and what should be known of it."""
    for mark, name in ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
                       (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")):
        if data.startswith(mark):
            return name, [f"begins with a byte order mark: read it with encoding {name}"]
    even, odd = data[0:2000:2].count(0), data[1:2000:2].count(0)
    if len(data) > 8 and max(even, odd) > len(data[:2000]) // 5 and min(even, odd) < max(even, odd) // 4:
        name = "utf-16-le" if odd > even else "utf-16-be"
        return name, [f"encoding {name}, without a byte order mark"]
    try:
        codecs.getincrementaldecoder("utf-8")().decode(data, whole)
        return "utf-8", []
    except UnicodeDecodeError:
        name = _single_byte(data)
        return name, [f"not UTF-8: reads as {name}" + (" (latin-1 does too)" if name == "cp1252" else "")]


def _single_byte(data: bytes) -> str:
    """A guess: in Cyrillic text most letters are high bytes, in Western text few are."""
    high, low = sum(byte >= 0xC0 for byte in data), sum(chr(byte).isalpha() for byte in data if byte < 0x80)
    if high <= low:
        undefined = any(byte in (0x81, 0x8D, 0x8F, 0x90, 0x9D) for byte in data)
        return "latin-1" if undefined else "cp1252"
    lower_in_cp1251 = sum(byte >= 0xE0 for byte in data)
    return "cp1251" if lower_in_cp1251 * 2 > high else "koi8-r"


def table_in(text: str) -> tuple[str, list[list[str]], int, int] | None:
    """Delimiter, rows, lines before the table and how many of these hold something; None where the text is no table."""
    best: tuple[float, str, list[list[str]], int, int] | None = None
    for delimiter in (",", ";", "\t", "|"):
        rows = _rows(text, delimiter)
        widths = Counter(len(row) for row in rows if row)
        wide = Counter({width: count for width, count in widths.items() if width > 1})
        if not wide:
            continue
        width, count = wide.most_common(1)[0]
        first = next(place for place, row in enumerate(rows) if len(row) == width)
        body = [row for row in rows[first:] if row]
        agreeing = sum(len(row) == width for row in body) / len(body)
        score = agreeing * count / sum(widths.values()) + min(width, 20) / 100 - first / 100
        if agreeing > 0.6 and (best is None or score > best[0]):
            best = (score, delimiter, body, first, sum(bool(row) for row in rows[:first]))
    return best and best[1:]


def _rows(text: str, delimiter: str) -> list[list[str]]:
    rows: list[list[str]] = []
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            rows.append(row)
            if len(rows) >= SAMPLE:
                break
    except csv.Error:
        pass
    return rows


_TYPES = (
    ("integer", re.compile(r"[+-]?\d+")),
    ("number", re.compile(r"[+-]?(\d+\.\d*|\.\d+|\d+)([eE][+-]?\d+)?")),
    ("number with decimal comma", re.compile(r"[+-]?\d+,\d+")),
    ("number with decimal comma, thousands marked", re.compile(r"[+-]?\d{1,3}([. \u00a0\u202f']\d{3})+(,\d+)?")),
    ("number with thousands commas", re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?")),
    ("number with a unit or currency", re.compile(r"[+-]?([$€£]\s?[\d.,]*\d|\d[\d., ]*\s?[%€$£])")),
    ("date YYYY-MM-DD", re.compile(r"\d{4}-\d\d-\d\d")),
    ("date and time, ISO", re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?")),
    ("date DD.MM.YYYY", re.compile(r"\d{1,2}\.\d{1,2}\.\d{2,4}")),
    ("date with slashes (day or month first is not said)", re.compile(r"\d{1,2}/\d{1,2}/\d{2,4}")),
    ("boolean", re.compile(r"(?i)true|false|yes|no")),
)
_EMPTY = {"", "na", "n/a", "nan", "null", "none", "-"}
_WIDER = {"integer": "number", "number with decimal comma": "number with decimal comma, thousands marked"}


def type_of(cell: str) -> str:
    """The kind of one cell, by its look."""
    cell = cell.strip()
    return next((name for name, pattern in _TYPES if pattern.fullmatch(cell)), "text")


def column_of(name: object, cells: list[str]) -> Facts:
    """Type, gaps and first values of one column."""
    filled = [cell for cell in cells if cell.strip().lower() not in _EMPTY]
    kinds = Counter(type_of(cell) for cell in filled)
    for narrow, wide in _WIDER.items():
        if kinds[narrow] and kinds[wide]:
            kinds[wide] += kinds.pop(narrow)
    if kinds["integer"] and kinds["number with decimal comma, thousands marked"]:
        kinds["number with decimal comma, thousands marked"] += kinds.pop("integer")
    kinds += Counter()
    notes = []
    if len(filled) < len(cells):
        notes.append(f"{len(cells) - len(filled)} of {len(cells)} empty")
    kind = "empty" if not kinds else kinds.most_common(1)[0][0]
    if len(kinds) > 1:
        notes.append("mixed: " + ", ".join(f"{count} {found}" for found, count in kinds.most_common(4)))
    if kind == "integer" and any(len(cell.strip()) > 1 and cell.strip().startswith("0") for cell in filled):
        notes.append("leading zeros: a code, not a number")
    if kind == "text" and any(cell != cell.strip() for cell in filled):
        notes.append("spaces around values")
    distinct = list(dict.fromkeys(filled))
    if kind == "text" and len(filled) > 20 and len(distinct) <= 12:
        notes.append(f"{len(distinct)} distinct values")
    return {"name": clean(name), "type": kind, "notes": notes, "values": [clean(cell, 40) for cell in distinct[:3]]}


def has_header(rows: list[list[str]]) -> str:
    """`yes`, `no` or `unclear`."""
    first, rest = rows[0], rows[1:200]
    if any(type_of(cell) not in ("text", "boolean") and cell.strip() for cell in first):
        return "no" if rest else "unclear"
    if not rest:
        return "yes"
    typed = [place for place in range(len(first)) if any(len(row) > place and row[place].strip() and
             type_of(row[place]) != "text" for row in rest)]
    if typed:
        return "yes"
    repeated = any(len(row) > place and row[place] == cell for place, cell in enumerate(first) for row in rest)
    return "no" if repeated else "unclear"


def inspect_table(path: str | None, text: str, encoding: str, whole: bool) -> Facts | None:
    """What a careful analyst looks at first in a CSV file; None where the text is no table.

    `path`: the file whose rows are counted; None counts those of the text.
    """
    found = table_in(text)
    if found is None:
        return None
    delimiter, rows, skipped, above = found
    if not whole and len(rows) < SAMPLE:
        rows.pop()
    width = Counter(len(row) for row in rows).most_common(1)[0][0]
    header = has_header(rows)
    names = rows[0] if header != "no" else [f"(column {number + 1})" for number in range(width)]
    body = rows[1:] if header != "no" else rows
    facts = [f"delimiter {'tab' if delimiter == chr(9) else repr(delimiter)}, encoding {encoding}, "
             f"{len(names)} columns, header: {header}"]
    if skipped:
        facts.append(f"{skipped} lines stand before the table")
    columns = [column_of(name, [row[place] if place < len(row) else "" for row in body])
               for place, name in enumerate(names[:SHOWN_COLUMNS])]
    if any("decimal comma" in str(column["type"]) for column in columns):
        facts.append("decimal sign is the comma" + (", thousands are marked" if any(
            "thousands marked" in str(column["type"]) for column in columns) else ""))
    facts += _oddities(names if header != "no" else [], body, width)
    counted, complete, broken = _counted(path, encoding, delimiter) if path else (len(rows) + above, whole, "")
    lines = max(0, counted - above - (header != "no"))
    facts.append(f"{lines} rows" if complete else f"more than {lines} rows (counting stopped)")
    if broken:
        facts.append(broken)
    return {"kind": "table as text", "facts": facts, "columns": columns, "more_columns": max(0, len(names) - SHOWN_COLUMNS),
            "rows": [[clean(cell, 40) for cell in row[:SHOWN_COLUMNS]] for row in body[:SHOWN_ROWS]]}


def _oddities(names: list[str], body: list[list[str]], width: int) -> list[str]:
    facts = []
    twice = [name for name, count in Counter(names).items() if count > 1 and name.strip()]
    if twice:
        facts.append("column names that occur more than once: " + ", ".join(clean(name) for name in twice[:10])
                     + " (pandas renames the later ones, csv.DictReader keeps the last)")
    blank = sum(not name.strip() for name in names)
    if blank:
        facts.append(f"{blank} columns have no name")
    spaced = [name for name in names if name != name.strip()]
    if spaced:
        facts.append("spaces around the names of: " + ", ".join(clean(name) for name in spaced[:10]))
    other = sum(len(row) not in (0, width) for row in body)
    if other:
        facts.append(f"{other} of the first {len(body)} rows have another number of cells than {width}")
    same = len(body) - len({tuple(row) for row in body})
    if same:
        facts.append(f"{same} of the first {len(body)} rows are copies of another row")
    if not body:
        facts.append("no rows below the header")
    return facts


def _counted(path: str, encoding: str, delimiter: str) -> tuple[int, bool, str]:
    """Rows that are not blank, whether all were counted, and where the encoding breaks."""
    until, count = time.process_time() + COUNTING_S, 0
    try:
        with open(path, "rb") as raw, io.TextIOWrapper(raw, encoding, "strict", newline="") as file:
            for number, row in enumerate(csv.reader(file, delimiter=delimiter)):
                count += bool(row)
                if number % 1000 == 0 and (time.process_time() > until or raw.tell() > COUNTED):
                    return count, False, ""
    except UnicodeDecodeError:
        return count, False, f"a byte after about row {count} is not {encoding}: the encodings are mixed"
    except csv.Error as error:
        return count, False, f"the csv module stops after row {count}: {clean(error)}"
    return count, True, ""
