from types import SimpleNamespace
import numpy as np
name = "_" * 2 + "array_interface" + "_" * 2
fake = SimpleNamespace(**{name: {"shape": (8,), "typestr": "|u1", "data": (4194304, False), "version": 3}})
print(np.asarray(fake))
