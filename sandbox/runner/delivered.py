"""Values as programs compute them, as plain JSON data: what numpy, pandas and datetime give is converted on the way out.

Nothing is imported here. A library's types are looked up only where the program has loaded it, and only values of
exactly those types are converted; whatever a program defines itself is refused by `json` as before.
"""

import collections
import datetime
import decimal
import math
import sys
from typing import Any

_LARGEST = 10_000
"""Values of one array or table; more is a file."""
_DEEPEST = 200
_SCALARS = ("bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
            "float64", "str_")
_INDEXES = ("Index", "RangeIndex", "DatetimeIndex", "TimedeltaIndex", "PeriodIndex", "CategoricalIndex", "IntervalIndex",
            "MultiIndex")
_SUBCLASSED = (bool, int, float, str, list, tuple, dict)


def plain(value: Any) -> Any:
    """The value in dicts, lists, texts, numbers, bools and None. What is unknown stays as it is.

    Raises ValueError for NaN, NaT and infinities, naming the place, and for arrays and tables that are too large.
    """
    return _plain(value, "value", 0)


def _plain(value: Any, place: str, depth: int) -> Any:
    kind = type(value)
    if value is None or kind in (bool, int, str):
        return value
    if depth > _DEEPEST:
        raise ValueError(f"{place[:60]}… is nested too deeply, or contains itself")
    if issubclass(kind, float):  # numpy's float64 is one
        if not math.isfinite(value):
            raise ValueError(f"{place} is {float.__repr__(float(value))}, and NaN and Infinity are not JSON; use None, "
                             "or a text that says what is missing")
        return float(value)
    if kind in (list, tuple):
        return [_plain(item, f"{place}[{index}]", depth + 1) for index, item in enumerate(value)]
    if kind in (dict, collections.OrderedDict, collections.defaultdict, collections.Counter):
        return {_key(key): _plain(item, f"{place}[{_key(key)!r}]", depth + 1) for key, item in value.items()}
    if kind in (datetime.date, datetime.datetime, datetime.time):
        return value.isoformat()
    if kind is decimal.Decimal or issubclass(kind, _SUBCLASSED):
        return value
    return _of_library(value, kind, place, depth)


def _key(key: Any) -> Any:
    """JSON's keys are texts; `json` turns numbers into them, and refuses what is neither."""
    if type(key) in _types("numpy", *_SCALARS):
        return key.item()
    if type(key) in (datetime.date, datetime.datetime, *_types("pandas", "Timestamp", "Timedelta")):
        return key.isoformat()
    if type(key) in _types("pandas", "Interval", "Period"):
        return str(key)
    return key


def _of_library(value: Any, kind: type, place: str, depth: int) -> Any:
    if kind in _types("numpy", *_SCALARS):
        return _plain(value.item(), place, depth + 1)
    if kind in _types("numpy", "ndarray"):
        _bounded(value.size, place)
        if value.dtype.kind == "M":  # its own tolist gives nanoseconds since 1970
            _no_nat(value, place)
            value = value.astype(str)
        return _plain(value.tolist(), place, depth + 1)
    if kind in _types("numpy", "datetime64"):
        _no_nat(value, place)
        return str(value)
    pandas = sys.modules.get("pandas")
    if pandas is not None and any(value is vars(pandas).get(name) for name in ("NaT", "NA")):
        raise ValueError(f"{place} is {value}, a missing value; use None, or a text that says what is missing")
    if kind in _types("pandas", "Timestamp", "Timedelta"):
        return value.isoformat()
    if kind in _types("pandas", "Interval", "Period"):
        return str(value)
    if kind in _types("pandas", *_INDEXES):
        _bounded(value.size, place)
        return _plain(value.tolist(), place, depth + 1)
    if kind in _types("pandas", "Series"):
        _bounded(value.size, place)
        return _plain(_labelled(value, place), place, depth + 1)
    if kind in _types("pandas", "DataFrame"):
        _bounded(value.size, place)
        if not value.columns.is_unique:
            raise ValueError(f"{place} has two columns of one name; rename them")
        if value.columns.nlevels > 1:
            raise ValueError(f"{place} has columns of several levels; give each one text as its name, as in "
                             "table.columns = [' '.join(map(str, names)) for names in table.columns]")
        if _has_labels(value.index):
            value = _with_index(value, place)
        return _plain(value.to_dict("records"), place, depth + 1)
    return value


def _has_labels(index: Any) -> bool:
    """Whether an index says something: whole numbers without a name only count the rows."""
    return index.nlevels > 1 or index.name is not None or index.dtype.kind not in "iu"


def _labelled(series: Any, place: str) -> Any:
    """A column as a list; with labels (as groupby gives it) as label to value, or records where a label has levels."""
    if not _has_labels(series.index):
        return series.tolist()
    if series.index.nlevels > 1:
        return _with_index(series.to_frame("value" if series.name is None else series.name), place)
    if not series.index.is_unique:
        raise ValueError(f"{place} has one label twice in its index; deliver .reset_index() or .tolist()")
    return dict(zip(series.index.tolist(), series.tolist(), strict=True))


def _with_index(table: Any, place: str) -> Any:
    try:
        return table.reset_index()
    except ValueError:  # a column has the index's name
        raise ValueError(f"{place} has an index and a column of one name; rename one, or deliver "
                         ".reset_index(drop=True)") from None


def _no_nat(value: Any, place: str) -> None:
    if (value != value).any():  # NaT alone differs from itself
        raise ValueError(f"{place} holds NaT, a missing time; use None, or a text that says what is missing")


def _types(library: str, *names: str) -> tuple[type, ...]:
    """Those types of a library, where it is loaded."""
    module = sys.modules.get(library)
    found = [vars(module).get(name) for name in names] if module is not None else []
    return tuple(kind for kind in found if isinstance(kind, type))


def _bounded(size: int, place: str) -> None:
    if size > _LARGEST:
        raise ValueError(f"{place} holds {size} values, more than {_LARGEST}; deliver a summary, and the "
                         "rest as a file")
