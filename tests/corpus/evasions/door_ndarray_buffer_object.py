import numpy as np, struct
x = object()
try:
    a = np.ndarray((1,), dtype=object, buffer=bytearray(struct.pack("P", id(len))))
    print("REACHED", a[0]("abc"))
except Exception as error:
    print("no", error)
