import numpy as np
a = np.ndarray((1,), dtype=object, buffer=bytearray(b"AAAAAAAA"))
print("REACHED soon")
print(a[0])
