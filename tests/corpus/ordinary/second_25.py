import numpy as np
data = np.genfromtxt("data.csv", delimiter=",", names=True, dtype=None, encoding="utf-8")
np.savetxt("out.txt", np.arange(6).reshape(2, 3), fmt="%d", delimiter=",", header="a,b,c", comments="")
print(np.loadtxt("out.txt", delimiter=",", skiprows=1).shape, data.dtype.names)
