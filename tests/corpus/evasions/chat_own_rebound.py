import numpy as np
def loadtxt(p):
    return p
if len("a"):
    loadtxt = np.loadtxt
print(loadtxt("/etc/passwd", dtype=str))
