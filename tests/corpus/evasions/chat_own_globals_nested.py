import numpy as np
def loadtxt(p):
    return p
def change():
    global loadtxt
    from numpy import loadtxt
change()
print(loadtxt("/etc/passwd", dtype=str))
