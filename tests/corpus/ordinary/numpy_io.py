import numpy as np
np.save("a.npy", np.arange(3))
np.savez("b.npz", x=np.ones(2))
print(np.load("a.npy").sum(), np.load("b.npz")["x"].shape, np.load("a.npy", allow_pickle=False).size, np.load("a.npy", mmap_mode="r").size)
