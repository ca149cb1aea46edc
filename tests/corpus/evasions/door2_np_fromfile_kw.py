import numpy as np
try:
    np.fromfile(file="/srv/x.bin")
except OSError as e:
    print("REACHED", e)
