import numpy as np
def loadtxt(p):
    return p
def go(loadtxt):
    return loadtxt("/etc/passwd", dtype=str)
print(go(np.loadtxt))
