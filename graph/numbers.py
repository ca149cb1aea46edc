"""Numbers in text of several languages, and whether a computed number stands behind one that was written."""

import bisect
import itertools
import json
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

_SPACE = "[\u00a0\u202f\u2009 ]"
_PERCENT = ("%", "\u066a", "\uff05", r"percent\b", r"per cent\b", r"pour cent\b", r"pourcents?\b", r"Prozent\b",
            r"відсот\w*")
_SCALES = {r"[kK]\b": 1e3, r"thousand\b": 1e3, r"Tausend\b": 1e3, r"mille\b": 1e3, r"тис\w*\.?": 1e3,
           r"[Mm]illions?\b": 1e6, r"Millionen\b": 1e6, r"Mio\b\.?": 1e6, r"млн\b": 1e6, r"мільй\w*": 1e6,
           r"billions?\b": 1e9, r"Mrd\b\.?": 1e9, r"[Mm]illiarden?\b": 1e9, r"milliards?\b": 1e9, r"млрд\b": 1e9}
_NUMBER = re.compile(
    rf"(?<![\w.,])(?P<sign>[-+\u2212](?=\d))?"
    rf"(?P<body>\d{{1,3}}(?:{_SPACE}\d{{3}})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,'\u2019]\d+)*)(?P<exp>[eE][-+]?\d+)?"
    rf"(?:{_SPACE}?(?:(?P<percent>{'|'.join(_PERCENT)})|(?P<scale>{'|'.join(_SCALES)})))?")
_ABOUT = re.compile(
    r"(about|around|roughly|approx\w*\.?|nearly|almost|over|environ|près de|presque|autour de|plus de|etwa|rund|ungefähr|"
    r"ca\.?|knapp|fast|über|приблизно|близько|майже|понад|~|≈)\s*\W?$", re.I)
_PERCENT_NAME = re.compile(r"percent|pct|prozent|pourcent|відсот|%", re.I)
_FACTOR_NAME = re.compile(r"ratio|factor|index|growth|multiple|faktor|wachstum|croissance|зростання", re.I)
_MOST_TEXT = 60_000
"""Characters of output and of texts in a result that can support a number."""
_MOST_SOURCES = 100_000
_WORD = re.compile(r"[\w./-]++")
_FILE_NAME = re.compile(r"\.(?:csv|tsv|jsonl?|xlsx?|parquet|txt|md|png|svg|jpe?g|pdf|zip|py)\.?\Z")


@dataclass(frozen=True, slots=True)
class Source:
    """A number that was computed or given. `percent`: True where its name or sign says per cent, `factor` where its
    name says that it is a ratio that may exceed one."""

    value: float
    percent: bool = False
    factor: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """A number as a text has it: every value that the notation can mean, with the decimals written.

    `parts`: the numbers it is made of where it may be several, as in a date or in `7 100`; all of them must be known.
    """

    readings: tuple[tuple[float, int], ...]
    parts: tuple[float, ...]
    percent: bool
    about: bool
    text: str


def _readings(body: str) -> list[tuple[float, int]]:
    """Values and decimals: `1,234` is 1234 in English and 1.234 in German, and no reader can tell."""
    plain = re.sub(rf"{_SPACE}|['\u2019]", "", body)
    groups = re.split(r"[.,]", plain)
    if len(groups) == 1:
        return [(float(plain), 0)]
    marks, found = re.findall(r"[.,]", plain), []
    if marks[-1] not in marks[:-1]:
        found.append((float("".join(groups[:-1]) + "." + groups[-1]), len(groups[-1])))
    if len(set(marks)) == 1 and all(len(group) == 3 for group in groups[1:]) and len(groups[0]) <= 3:
        found.append((float("".join(groups)), 0))
    return found


def numbers_in(text: str) -> list[Written]:
    """The numbers of a text, without those in names (Q1, UTF-8, sales_2024.csv) and list markers."""
    text = _WORD.sub(lambda m: " " if _FILE_NAME.search(m[0][-10:]) else m[0], text)
    text = re.sub(r"^([ \t]*)\d{1,2}[.)](?=\s)", r"\1", text, flags=re.M)
    text = re.sub(r"\b[^\W\d_]+[-_]\d+\b", " ", text)
    found = []
    for match in _NUMBER.finditer(text):
        body = match["body"][:60]
        power = 10.0 ** max(-300, min(300, int(match["exp"][1:6]))) if match["exp"] else 1.0
        factor = _scale(match["scale"]) * power
        # In 2024-01-31 the sign is a hyphen.
        sign = -1.0 if match["sign"] in ("-", "\u2212") and not text[:match.start()][-1:].isdigit() else 1.0
        readings = tuple((sign * value * factor, decimals - round(math.log10(factor)))
                         for value, decimals in _readings(body))
        parts = tuple(float(part) for part in re.findall(r"\d+", body)) if " " in body or not readings else ()
        about = bool(_ABOUT.search(text[max(0, match.start() - 16):match.start()]))
        found.append(Written(readings, parts, match["percent"] is not None, about, match[0].strip()))
    return found


def _scale(word: str | None) -> float:
    return next((value for pattern, value in _SCALES.items() if word and re.fullmatch(pattern, word)), 1.0)


class _Room:
    """How many characters of text are still looked at; a number beyond supports nothing."""

    def __init__(self, characters: int) -> None:
        self._left = characters

    def of(self, text: str) -> str:
        taken = text[:self._left]
        self._left -= len(taken)
        return taken


def _in_json(value: Any, name: str, room: _Room) -> Iterator[Source]:
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, int | float):
        as_float = float(value) if abs(value) < 1e300 else math.inf
        yield Source(as_float, bool(_PERCENT_NAME.search(name)), bool(_FACTOR_NAME.search(name)))
    elif isinstance(value, str):
        yield from in_text(room.of(value))
    elif isinstance(value, dict):
        yield Source(float(len(value)))
        for key, item in value.items():
            yield from in_text(room.of(str(key)))
            yield from _in_json(item, str(key), room)
    elif isinstance(value, list):
        yield Source(float(len(value)))
        for item in value:
            yield from _in_json(item, name, room)


def in_json(value_json: str | None) -> list[Source]:
    """Every number of a result: its values, the numbers in its texts and names, and how many items its lists have."""
    if value_json is None:
        return []
    return list(itertools.islice(_in_json(json.loads(value_json), "", _Room(_MOST_TEXT)), _MOST_SOURCES))


def in_text(text: str) -> list[Source]:
    """Every number of an output or a goal. Of a date or a time each part counts."""
    text = text[:_MOST_TEXT]
    found = []
    for written in numbers_in(text):
        found += [Source(value, written.percent) for value, _ in written.readings]
        found += [Source(part) for part in written.parts]
    parts = re.findall(r"(?<!\d)\d++(?=[-/:T.]\d)|(?<=[-/:T.])\d++", text)
    return found + [Source(float(part)) for part in parts if len(part) <= 15]


def _rounds_to(source: float, value: float, decimals: int, about: bool) -> bool:
    error = abs(source - value)
    if error <= 1e-9 * max(abs(source), 1.0):
        return True
    if about and decimals <= 0:
        # "about 1,200": the zeros at the end are no digits.
        whole = abs(int(value))
        while whole and whole % 10 == 0:
            whole //= 10
            decimals -= 1
    if error > 0.5 * 10.0 ** -decimals * (1 + 1e-9):
        return False
    digits = len(str(round(abs(value) * 10.0 ** max(-20, min(decimals, 20)))))
    return digits >= 2 or error <= 0.01 * abs(source)


class Known:
    """The numbers that a text may use, ready to be asked many times."""

    def __init__(self, sources: Iterable[Source]) -> None:
        finite = {source for source in sources if math.isfinite(source.value)}
        self._every = sorted(abs(source.value) for source in finite)
        self._percent = sorted(abs(source.value) for source in finite if source.percent)
        ratio = {source for source in finite if not source.percent and (abs(source.value) <= 1 or source.factor)}
        self._ratio = sorted(abs(source.value) for source in ratio)
        self._other = sorted(abs(source.value) for source in finite - ratio if not source.percent)

    def supports(self, written: Written) -> bool:
        """Whether one of them, rounded as written, is that number. Per cent and ratio are told apart: of a ratio of
        0.0384 the text may say 3.84 % and 0.0384, and not 0.0384 %."""
        if any(self._backs(abs(value), decimals, written) for value, decimals in written.readings):
            return True
        return bool(written.parts) and not written.percent and all(
            self._near(self._every, part, 0, False) for part in written.parts)

    def _backs(self, value: float, decimals: int, written: Written) -> bool:
        if written.percent:
            return (self._near(self._percent, value, decimals, written.about)
                    or self._near(self._other, value, decimals, written.about)
                    or self._near(self._ratio, value / 100, decimals + 2, written.about))
        return (self._near(self._every, value, decimals, written.about)
                or self._near(self._percent, value * 100, decimals - 2, written.about))

    @staticmethod
    def _near(values: list[float], value: float, decimals: int, about: bool) -> bool:
        place = bisect.bisect_left(values, value)
        return any(_rounds_to(values[index], value, decimals, about)
                   for index in (place - 1, place) if 0 <= index < len(values))
