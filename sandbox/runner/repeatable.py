"""What makes two runs of one program alike: random seeds, and a clock that stands still. For honest programs only.

Without a seed every child draws fresh randomness: a forked child would else repeat what its siblings drew.
"""

import datetime
import random
import sys
import time
import types
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from typing import Any


def seed_all(seed: int | None) -> None:
    """Seed `random` and numpy's global generator, now or as soon as numpy is imported."""
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(None if seed is None else seed % 2**32)
    elif seed is not None:
        sys.meta_path.insert(0, _SeedOnImport("numpy.random", lambda module: module.seed(seed % 2**32)))


class _SeedOnImport:
    """Finds nothing itself; lets the other finders load the one module, then calls back."""

    def __init__(self, name: str, after: Callable[[Any], None]) -> None:
        self._name = name
        self._after = after

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: types.ModuleType | None = None,
                  ) -> ModuleSpec | None:
        if name != self._name:
            return None
        sys.meta_path.remove(self)
        for finder in sys.meta_path:
            spec = finder.find_spec(name, path, target)
            if spec is not None and spec.loader is not None:
                self._execute = spec.loader.exec_module
                spec.loader.exec_module = self._run  # type: ignore[method-assign]
                return spec
        return None

    def _run(self, module: types.ModuleType) -> None:
        self._execute(module)
        self._after(module)


def freeze_clock(now: float) -> None:
    """`time.time()`, `datetime.now()` and their kin say `now` (seconds since 1970); monotonic clocks go on."""
    real_localtime, real_gmtime, real_strftime = time.localtime, time.gmtime, time.strftime
    time.time = lambda: now
    time.time_ns = lambda: int(now * 1_000_000_000)
    time.localtime = lambda seconds=None: real_localtime(now if seconds is None else seconds)
    time.gmtime = lambda seconds=None: real_gmtime(now if seconds is None else seconds)
    time.ctime = lambda seconds=None: time.asctime(time.localtime(seconds))
    time.strftime = lambda form, moment=None: real_strftime(form, time.localtime() if moment is None else moment)
    def moment(kind: Any, zone: datetime.tzinfo | None = None) -> Any:
        return kind.fromtimestamp(now, zone)

    def today(kind: Any) -> Any:
        return kind.fromtimestamp(now)

    def universal(kind: Any) -> Any:
        return kind.fromtimestamp(now, datetime.UTC).replace(tzinfo=None)

    dates: dict[str, Callable[..., Any]] = {"today": today}
    moments: dict[str, Callable[..., Any]] = {"now": moment, "today": today, "utcnow": universal}
    base: type
    for kind, base, methods in (("date", datetime.date, dates), ("datetime", datetime.datetime, moments)):
        frozen = _Frozen(kind, (base,), {"__module__": "datetime", **{n: classmethod(m) for n, m in methods.items()}})
        frozen._real = base
        setattr(datetime, kind, frozen)


class _Frozen(type):
    """Values that libraries made with the real class are instances of the frozen one too."""

    _real: type

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, cls._real)

    def __subclasscheck__(cls, kind: type) -> bool:
        return issubclass(kind, cls._real)
