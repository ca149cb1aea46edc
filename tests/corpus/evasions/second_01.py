import numpy as np
x = np.lib.npyio.os.listdir("x")
