import numpy as np
np.save("a.npy", np.array([1, 2]))
options = {}
options["allow_" + "pickle"] = True
read = {"r": np}
print("REACHED", np.lib.format if False else "no")
