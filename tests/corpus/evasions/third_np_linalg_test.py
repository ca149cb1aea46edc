import numpy as np
np.linalg.test()
