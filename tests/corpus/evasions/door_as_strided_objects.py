import numpy as np
from numpy.lib.stride_tricks import as_strided
a = np.array([None], dtype=object)
wild = as_strided(a, shape=(8,), strides=(8,), writeable=True)
print("REACHED", wild.shape)
