import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
print(sliding_window_view(np.arange(5), 3).mean(axis=1).tolist(), np.lib.stride_tricks.sliding_window_view(np.arange(3), 2).shape)
