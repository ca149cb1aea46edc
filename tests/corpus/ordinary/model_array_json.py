import json
from datetime import date, datetime
from decimal import Decimal

import numpy as np
import pandas as pd


def plain(value):
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, (np.integer, np.floating, np.bool_)):
        return value.item()
    if isinstance(value, (date, datetime, pd.Timestamp)):
        return value.isoformat()
    if isinstance(value, Decimal):
        return float(value)
    raise TypeError(f"{type(value).__name__} is not JSON")


class Encoder(json.JSONEncoder):
    def default(self, o):
        return plain(o)


print(json.dumps({"a": np.arange(3), "d": date(2024, 1, 1), "p": Decimal("1.5")}, default=plain))
print(json.dumps({"x": np.float64(2)}, cls=Encoder))
