import numpy as np
a = type(np.zeros(1))((4,), dtype=object, buffer=bytearray(32))
