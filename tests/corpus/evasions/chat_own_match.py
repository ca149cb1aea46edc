import numpy as np
def loadtxt(p):
    return p
match [np.loadtxt]:
    case [loadtxt]:
        print(loadtxt("/etc/passwd", dtype=str))
