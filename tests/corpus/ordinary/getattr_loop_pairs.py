import numpy as np
x = np.array([1.0, 2.0])
for label, func in [("Mean", "mean"), ("Max", "max")]:
    print(label, getattr(x, func)())
