import numpy as np
from functools import partial
partial(np.load, allow_pickle=True)("a.npy")
