import numpy as np
from numpy.random import default_rng
from numpy.linalg import norm, eig
rng = default_rng(0)
m = rng.normal(size=(3, 3))
w, v = eig(m @ m.T)
print(norm(w) > 0, np.linalg.cond(m) > 1, np.polynomial.Polynomial([1, 2])(3))
