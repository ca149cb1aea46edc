import json

import numpy as np

# ruleid: no-allow-pickle
a = np.load("a.npy", allow_pickle=True)
# ruleid: no-allow-pickle
b = np.load("a.npy", None, True)
flags = {"allow_pickle": True}
# ruleid: no-allow-pickle
c = np.load("a.npy", **flags)
# ruleid: no-allow-pickle
reader = np.load
# ruleid: no-allow-pickle
d = np.load("a.npy", allow_pickle=flags["allow_pickle"])
# ruleid: no-allow-pickle
np.savez("b.npz", rows=a, allow_pickle=True)
# ruleid: no-allow-pickle
e = list(map(np.load, ["a.npy"]))

# ok: no-allow-pickle
f = np.load("a.npy")
# ok: no-allow-pickle
g = np.load("a.npy", allow_pickle=False)
# ok: no-allow-pickle
h = np.load("a.npy", mmap_mode="r")
# ok: no-allow-pickle
with open("a.json") as file:
    # ok: no-allow-pickle
    i = json.load(file)
# ok: no-allow-pickle
j = np.loadtxt("a.txt", float, "#")
