import numpy as np
a = np.zeros(10)
v = memoryview(a)
a.resize(10**6, refcheck=False)
