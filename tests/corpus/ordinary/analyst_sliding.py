import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
x = np.arange(20.0)
print(sliding_window_view(x, 5).mean(axis=1))
