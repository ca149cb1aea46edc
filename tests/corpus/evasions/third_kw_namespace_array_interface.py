from types import SimpleNamespace
import numpy as np
fake = SimpleNamespace(__array_interface__={"shape": (8,), "typestr": "|u1", "data": (4194304, False), "version": 3})
print(np.asarray(fake))
