import numpy as np

# ruleid: no-read-array
from numpy.lib.format import open_memmap

# ruleid: no-read-array
from numpy import memmap as view

with open("scores.npy", "rb") as file:
    # ruleid: no-read-array
    a = np.lib.format.read_array(file, True)
# ruleid: no-read-array
b = np.memmap("/etc/passwd", dtype="u1", mode="r")
# ruleid: no-read-array
c = np.lib.npyio.DataSource(".").open("rows.txt")
# ruleid: no-read-array
kind = np.memmap

# ok: no-read-array
d = np.fromfile("raw.bin", dtype="f8")
# ok: no-read-array
e = np.asarray([1]).view()
# ok: no-read-array
f = {"memmap": 1}["memmap"]
# ruleid: no-read-array
from numpy.lib.npyio import NpzFile

# ok: no-read-array
from numpy.lib.stride_tricks import sliding_window_view
