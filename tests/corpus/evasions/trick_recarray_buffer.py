import numpy as np
np.recarray((1,), dtype=[("a", object)], buf=bytearray(8))
