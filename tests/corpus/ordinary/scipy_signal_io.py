from scipy import signal, stats, io, optimize
import numpy as np
b, a = signal.butter(3, 0.1)
print(len(b), stats.norm.cdf(0), optimize.brentq(lambda x: x - 1, 0, 2))
print(np.select([np.array([1, 2]) > 1], [10], 0).tolist())
