import numpy as np
f = np.polynomial.chebyshev.np.lib.format
