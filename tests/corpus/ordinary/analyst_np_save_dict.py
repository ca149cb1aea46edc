import numpy as np
np.savez("output/arrays.npz", a=np.arange(3), b=np.eye(2))
with np.load("output/arrays.npz") as z:
    print({k: z[k].shape for k in z.files})
