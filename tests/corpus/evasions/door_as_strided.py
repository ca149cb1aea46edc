# raw memory behind an array, through an allowed door
import numpy as np
from numpy.lib.stride_tricks import as_strided
a = np.zeros(1, dtype=np.uint8)
around = as_strided(a, shape=(4096,), strides=(1,))
print("REACHED", bytes(around[:64]).hex())
