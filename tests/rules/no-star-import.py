# ruleid: no-star-import
from math import *

# ruleid: no-star-import
from matplotlib.backends.backend_agg import *

# ruleid: no-star-import
from numpy import *

# ok: no-star-import
from math import pi, sqrt

# ok: no-star-import
import numpy as np

# ok: no-star-import
area = pi * sqrt(4) * np.pi
