# ruleid: no-star-import
from matplotlib.backends.backend_agg import *

# ruleid: no-star-import
from numpy import *

# ruleid: no-star-import
from pathlib import *

# ok: no-star-import
from math import *

# ok: no-star-import
from statistics import mean, stdev

# ok: no-star-import
import numpy as np

# ok: no-star-import
area = pi * sqrt(4) * np.pi
# ok: no-star-import
from random import *

# ok: no-star-import
from typing import *

# ruleid: no-star-import
from functools import *
