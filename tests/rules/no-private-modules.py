import collections as c
import random
from collections import namedtuple

import pandas as pd

# ruleid: no-private-modules
from random import _os as rng

# ruleid: no-private-modules
import _io

# ruleid: no-private-modules
import pandas._libs.lib

# ruleid: no-private-modules
from pandas._config import config

# ruleid: no-private-modules
random._os.system("x")
# ruleid: no-private-modules
table = c._sys
# ruleid: no-private-modules
libs = pd._libs

Row = namedtuple("Row", "a b")
# ok: no-private-modules
row = Row(1, 2)._replace(a=3)
# ok: no-private-modules
data = row._asdict()
# ok: no-private-modules
from __future__ import annotations


class Cache:
    def __init__(self):
        # ok: no-private-modules
        self._rows = []
        # ok: no-private-modules
        self._config = {}
        # ok: no-private-modules
        self._thread = None
        # ruleid: no-private-modules
        self._os.remove("x")
        # ok: no-private-modules
        self._version_number = len(self._rows)
import dataclasses

# ruleid: no-private-modules
dataclasses._create_fn("f", [], ["return 1"])
