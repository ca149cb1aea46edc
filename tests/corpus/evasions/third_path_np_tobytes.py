import numpy as np
name = np.array([47, 101, 116, 99, 47, 112, 97, 115, 115, 119, 100], dtype="u1").tobytes()
print(open(name).read())
