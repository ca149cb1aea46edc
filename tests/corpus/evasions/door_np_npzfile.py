import numpy as np, io
from numpy.polynomial.polynomial import np as inner
print("REACHED", inner.lib.npyio)
