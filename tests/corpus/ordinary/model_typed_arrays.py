from __future__ import annotations

from typing import Any, Callable, Iterable, Literal, TypeVar

import numpy as np
import numpy.typing as npt

T = TypeVar("T")
Vector = npt.NDArray[np.float64]
Mode = Literal["mean", "max"]


def reduce(values: Vector | list[float], mode: Mode = "mean") -> float:
    array: np.ndarray = np.asarray(values, dtype=float)
    return float(array.mean() if mode == "mean" else array.max())


def first(items: Iterable[T], test: Callable[[T], bool], default: "T | None" = None) -> T | None:
    return next((item for item in items if test(item)), default)


rows: list[dict[str, Any]] = [{"a": 1}, {"a": 5}]
print(reduce([1, 2, 3]), first(rows, lambda row: row["a"] > 2))
