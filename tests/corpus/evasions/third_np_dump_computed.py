import numpy as np
np.zeros(3).dump(chr(47) + "etc/x")
