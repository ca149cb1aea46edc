import numpy as np
np.zeros(1).ctypes.data_as(int)
