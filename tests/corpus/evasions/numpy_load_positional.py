import numpy as np
np.load("a.npy", None, True)
