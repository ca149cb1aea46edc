import numpy as np
np.info("x", 76, None, "helper")
