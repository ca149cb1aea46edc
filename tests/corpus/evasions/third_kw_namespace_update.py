from types import SimpleNamespace
import numpy as np
names = open("names.txt").read().split()
fake = SimpleNamespace(**dict(zip(names, [{"shape": (8,), "typestr": "|u1", "data": (4194304, False), "version": 3}])))
print(np.asarray(fake))
