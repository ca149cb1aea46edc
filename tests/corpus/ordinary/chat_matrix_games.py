import numpy as np
A = np.array([[4, -2], [1, 1]], float)
vals, vecs = np.linalg.eig(A)
assert np.allclose(A @ vecs, vecs * vals)
Q, R = np.linalg.qr(A)
L = np.linalg.cholesky(A @ A.T + np.eye(2))
print(np.linalg.det(A), np.linalg.matrix_rank(A), np.linalg.solve(A, [1, 2]), np.trace(A), np.kron(A, np.eye(2)).shape)
P = np.array([[.9, .1, 0], [.2, .7, .1], [0, .3, .7]])
pi = np.full(3, 1 / 3)
for step in range(1000):
    new = pi @ P
    if np.abs(new - pi).max() < 1e-12:
        break
    pi = new
else:
    print("did not converge")
print(step, pi, np.linalg.matrix_power(P, 50)[0])
it = np.nditer(A, flags=["multi_index"])
for v in it:
    print(it.multi_index, float(v))
out = np.empty_like(A)
np.multiply(A, 2, out=out, where=A > 0)
print(np.array2string(out, precision=2), np.vectorize(lambda x: x ** 2)(A), np.apply_along_axis(np.sort, 1, A), np.frompyfunc(divmod, 2, 2)(7, 2))
dt = np.dtype([("name", "U10"), ("w", "f4")])
rec = np.array([("a", 1.5), ("b", 2.5)], dtype=dt)
print(rec["w"].mean(), rec.dtype.names, np.sort(rec, order="w")[::-1], np.genfromtxt("m.csv", delimiter=",", names=True, dtype=None, encoding="utf-8").shape)
