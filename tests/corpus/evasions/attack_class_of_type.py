import numpy as np
class Raw(type(np.zeros(1))):
    pass
