import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

a = np.array([[4.0, 1.0], [2.0, 3.0]])
values, vectors = np.linalg.eig(a)
print(values.round(3), np.linalg.det(a), np.linalg.inv(a) @ a)
u, s, vt = np.linalg.svd(a, full_matrices=False)
np.testing.assert_allclose(u @ np.diag(s) @ vt, a)
series = np.arange(10.0)
print(sliding_window_view(series, 3).mean(axis=1), np.convolve(series, np.ones(3) / 3, "valid"))
block = np.block([[a, np.zeros((2, 2))], [np.zeros((2, 2)), a]])
print(block.shape, np.frombuffer(b"\x01\x02", dtype=np.uint8).sum(), a.astype(">f4").tobytes()[:2])
