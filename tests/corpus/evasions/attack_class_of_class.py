import numpy as np
a = np.zeros(1)
class Raw(a.__class__):
    pass
