import pathlib
import statistics as s
import typing as t

import pandas as pd

# ruleid: no-reexported-modules
from statistics import mean, sys as settings

# ruleid: no-reexported-modules
from matplotlib import subprocess as figures

# ruleid: no-reexported-modules
from pandas.io.common import os as files

# ruleid: no-reexported-modules
pathlib.os.system("x")
# ruleid: no-reexported-modules
table = s.sys
# ruleid: no-reexported-modules
t.sys.modules["os"]
# ruleid: no-reexported-modules
pd.io.common.os.getcwd()
# ruleid: no-reexported-modules
c = pd.io.common.shutil

# ok: no-reexported-modules
import sys

# ok: no-reexported-modules
sys.exit(0)
# ok: no-reexported-modules
frame = pd.DataFrame({"os": ["linux"], "sys": [1]})
# ok: no-reexported-modules
systems = frame["os"].tolist()
