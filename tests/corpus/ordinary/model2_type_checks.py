from collections.abc import Iterable, Mapping, Sequence
from numbers import Number

import numpy as np
import pandas as pd

HANDLERS = {
    int: lambda v: f"int {v}",
    str: lambda v: f"text {v}",
    list: lambda v: f"list of {len(v)}",
}


def kind(value):
    if isinstance(value, pd.DataFrame):
        return "table"
    if isinstance(value, (np.ndarray, pd.Series)):
        return f"array {value.dtype}"
    if type(value) in HANDLERS:
        return HANDLERS[type(value)](value)
    if isinstance(value, Mapping):
        return "mapping"
    return type(value).__name__


print([kind(v) for v in (1, "a", [1], {"a": 1}, np.zeros(2), pd.Series([1]), 2.5)], issubclass(bool, Number))
