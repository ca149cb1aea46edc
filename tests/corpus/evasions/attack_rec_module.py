import numpy as np
np.rec.recarray((1,), dtype=[("a", object)], buf=bytearray(8))
