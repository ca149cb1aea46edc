from functools import partial
from scipy.integrate import quad_vec
partial(quad_vec, workers=4)(lambda x: x, 0, 1)
