import numpy as np
np.info("system", toplevel="os")
