import numpy as np
class Raw(np.ndarray):
    pass
Raw((4,), dtype=object, buffer=bytearray(32))
