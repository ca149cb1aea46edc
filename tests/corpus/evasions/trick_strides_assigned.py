import numpy as np
a = np.zeros(4)
a.strides = (0,)
