import numpy as np
np.save("x.npy", np.arange(3))
print(np.load("x.npy", mmap_mode="r")[1], np.load("x.npy", allow_pickle=False)[0])
