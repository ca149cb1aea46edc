import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.polynomial import Polynomial, Chebyshev
from numpy.typing import NDArray, ArrayLike
def walk(n: int, rng: np.random.Generator) -> NDArray[np.int_]:
    return rng.choice([-1, 1], size=n).cumsum()
ss = np.random.SeedSequence(5)
rngs = [np.random.default_rng(s) for s in ss.spawn(4)]
W = np.stack([walk(1000, r) for r in rngs])
first = np.argmax(np.abs(W) >= 20, axis=1)
ma = sliding_window_view(W, 50, axis=1).mean(-1)
p = Polynomial.fit(np.arange(1000), W[0], deg=5)
print(first, ma.shape, p.convert().coef.round(4), Chebyshev([1, 2])(0.5), np.unique(W[0], return_counts=True)[1].max())
print(np.histogram2d(W[0], W[1], bins=5)[0], np.digitize([1, 5], [0, 2, 4]), np.interp(2.5, [1, 2, 3], [10, 20, 30]), np.gradient(W[0])[:3], np.percentile(W, [5, 95], axis=1).T, np.lexsort((W[1][:5], W[0][:5])), np.ma.masked_less(W[0], 0).mean(), np.datetime64("2024-01-31") + np.timedelta64(1, "D"), np.busday_count("2024-01-01", "2024-02-01"), np.ix_([0, 1], [2, 3]), np.r_[1:4, 0, 4], np.c_[[1, 2], [3, 4]], np.mgrid[0:2, 0:2].shape, sep="\n")
np.savez_compressed("output/walks.npz", W=W, ma=ma)
with np.load("output/walks.npz") as z: print(z.files, z["W"].dtype, np.shares_memory(W, z["W"]), np.finfo(float).eps, np.iinfo("int32").max)
