import numpy as np
def loadtxt(p):
    return p
for loadtxt in [np.loadtxt]:
    print(loadtxt("/etc/" + "passwd", dtype=str))
