"""What `final_answer` takes: plain data, and converted what numpy, pandas and datetime give; the rest is refused."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fumehood.sandbox.bubblewrap import BubblewrapEngine
from fumehood.sandbox.limits import Limits
from fumehood.sandbox.manifest import Manifest
from fumehood.sandbox.session import Session

_HEAD = "import collections, datetime, decimal\nimport numpy as np, pandas as pd\n"


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    engine = BubblewrapEngine()
    why = engine.unavailable()
    if why is not None:
        if "bubblewrap" in os.environ.get("FUMEHOOD_REQUIRE_ENGINES", "").split(","):
            pytest.fail(f"bubblewrap is required and not available: {why}")
        pytest.skip(why)
    with Session.open(engine, limits=Limits(wall_s=120, cpu_s=60, memory_mb=1024), manifest=Manifest(),
                      run_id="offered") as opened:
        yield opened


def delivered(session: Session, folder: Path, program: str) -> list[Any]:
    report = session.run(program, folder=folder / "run")
    assert report.execution.outcome == "completed", report.execution.stderr
    told = json.loads(report.delivered or "null")
    assert isinstance(told, list)
    return told


_CONVERTED: list[tuple[str, Any]] = [
    ("np.int64(3)", 3), ("np.float32(0.5)", 0.5), ("np.float64(0.25)", 0.25), ("np.bool_(True)", True),
    ("np.str_('a')", "a"), ("np.arange(3)", [0, 1, 2]), ("np.eye(2)", [[1.0, 0.0], [0.0, 1.0]]),
    ("np.array(['2024-01-02'], dtype='datetime64[D]')", ["2024-01-02"]), ("np.datetime64('2024-01-02')", "2024-01-02"),
    ("datetime.date(2024, 1, 2)", "2024-01-02"), ("datetime.datetime(2024, 1, 2, 3)", "2024-01-02T03:00:00"),
    ("pd.Timestamp('2024-01-02')", "2024-01-02T00:00:00"), ("pd.Timedelta('1 day')", "P1DT0H0M0S"),
    ("pd.Series([1, 2])", [1, 2]), ("pd.Series(['a', 'b'], dtype='category')", ["a", "b"]),
    ("pd.date_range('2024-01-01', periods=1)", ["2024-01-01T00:00:00"]),
    ("pd.DataFrame({'a': [1], 'd': [pd.Timestamp('2024-01-02')]})", [{"a": 1, "d": "2024-01-02T00:00:00"}]),
    # What groupby, value_counts and describe give: their labels are part of the result.
    ("pd.DataFrame({'g': ['a', 'b', 'a'], 'x': [1, 2, 3]}).groupby('g').x.sum()", {"a": 4, "b": 2}),
    ("pd.DataFrame({'g': ['a', 'b', 'a'], 'x': [1, 2, 3]}).groupby('g').agg({'x': 'sum'})",
     [{"g": "a", "x": 4}, {"g": "b", "x": 2}]),
    ("pd.DataFrame({'g': ['a', 'a'], 'h': [1, 2], 'x': [1, 2]}).groupby(['g', 'h']).x.sum()",
     [{"g": "a", "h": 1, "x": 1}, {"g": "a", "h": 2, "x": 2}]),
    ("pd.Series([3, 3, 5], name='n').value_counts()", {"3": 2, "5": 1}),
    ("pd.Series([1.0, 3.0]).describe()[['min', 'max']]", {"min": 1.0, "max": 3.0}),
    ("pd.Series([1, 2], index=pd.period_range('2024-01', periods=2, freq='M'))", {"2024-01": 1, "2024-02": 2}),
    ("pd.cut(pd.Series([1, 9]), [0, 5, 10]).value_counts(sort=False)", {"(0, 5]": 1, "(5, 10]": 1}),
    ("pd.Series([7, 8, 9])[[True, False, True]]", [7, 9]),
    ("pd.DataFrame({'a': [1]}, index=['total'])", [{"index": "total", "a": 1}]),
    ("pd.DataFrame({'a': [3, 1]}).sort_values('a')", [{"a": 1}, {"a": 3}]),
    ("pd.Index(['a'])", ["a"]),
    ("{'x': [np.int64(1), (np.float32(2), None)]}", {"x": [1, [2.0, None]]}),
    ("{np.int64(7): 1}", {"7": 1}), ("{pd.Timestamp('2024-01-02'): 1}", {"2024-01-02T00:00:00": 1}),
    ("collections.Counter({'a': np.int64(2)})", {"a": 2}), ("collections.defaultdict(list, a=[np.int8(1)])", {"a": [1]}),
]

_REFUSED = [
    ("{1, 2}", "TypeError", "set is not JSON; use sorted() or list()"),
    ("decimal.Decimal('1.10')", "TypeError", "decimal.Decimal is not JSON; use str()"),
    ("1j", "TypeError", "complex is not JSON"), ("object()", "TypeError", "object is not JSON"),
    ("type('ndarray', (), {'tolist': lambda self: [1]})()", "TypeError", "ndarray is not JSON"),
    ("{'a': [1, float('nan')]}", "ValueError", "value['a'][1] is nan"), ("np.float32('inf')", "ValueError", "value is inf"),
    ("pd.DataFrame({'a': [1.0, None]})", "ValueError", "value[1]['a'] is nan"),
    ("[pd.NaT]", "ValueError", "value[0] is NaT"), ("pd.Series([1, None], dtype='Int64')", "ValueError", "value[1] is <NA>"),
    ("np.array(['NaT'], dtype='datetime64[D]')", "ValueError", "value holds NaT"),
    ("np.zeros(10_001)", "ValueError", "value holds 10001 values, more than 10000"),
    ("pd.DataFrame([[1, 2]], columns=['a', 'a'])", "ValueError", "two columns of one name"),
    ("pd.Series([1, 2], index=['a', 'a'])", "ValueError", "one label twice in its index"),
    ("pd.DataFrame({'a': [1]}, index=pd.Index([5], name='a'))", "ValueError", "an index and a column of one name"),
    ("pd.DataFrame({'g': [1], 'x': [2]}).groupby('g').agg({'x': ['sum', 'max']})", "ValueError", "several levels"),
    ("(lambda x: x.append(x) or x)([])", "ValueError", "contains itself"),
]


def test_natural_results_arrive_as_plain_data(session: Session, tmp_path: Path) -> None:
    tried = "\n".join(f"kept.append({text})" for text, _ in _CONVERTED)
    told = delivered(session, tmp_path, f"{_HEAD}kept = []\n{tried}\nfinal_answer(kept)\n")
    assert dict(zip((text for text, _ in _CONVERTED), told, strict=True)) == dict(_CONVERTED)


def test_what_is_no_data_is_refused_with_the_place_and_the_way_out(session: Session, tmp_path: Path) -> None:
    program = f"{_HEAD}said = []\n" + "".join(
        f"try:\n    final_answer({text})\n    said.append(['nothing', ''])\n"
        "except Exception as error:\n    said.append([type(error).__name__, str(error)])\n" for text, _, _ in _REFUSED)
    told = delivered(session, tmp_path, f"{program}final_answer(said)\n")
    for (text, kind, words), (raised, message) in zip(_REFUSED, told, strict=True):
        assert raised == kind, (text, message)
        assert words in message, (text, message)


def test_nothing_is_imported_for_it(session: Session, tmp_path: Path) -> None:
    told = delivered(session, tmp_path, "import sys\nbefore = set(sys.modules)\nfinal_answer([1, {'a': 2.5}])\n"
                                        "final_answer(sorted(set(sys.modules) - before))\n")
    assert told == []
