import numpy as np
def loadtxt(p):
    return p
print([loadtxt("/etc/passwd", dtype=str) for loadtxt in [np.loadtxt]])
