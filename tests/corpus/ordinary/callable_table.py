import numpy as np
funcs = {"mean": np.mean, "median": np.median, "std": np.std}
x = [1, 2, 3]
print({k: float(f(x)) for k, f in funcs.items()})
