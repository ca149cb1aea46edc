import numpy as np
rng = np.random.PCG64(1)
print(rng.cffi.ffi)
