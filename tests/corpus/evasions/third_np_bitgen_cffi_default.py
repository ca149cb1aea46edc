import numpy as np
lib = np.random.default_rng().bit_generator.cffi
lib.ffi.dlopen(None)
