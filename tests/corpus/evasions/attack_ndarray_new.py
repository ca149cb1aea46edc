import numpy as np
a = np.ndarray.__new__(np.ndarray, (4,), object, bytearray(32))
