import numpy as np

kinds = np.dtype([("name", "U10"), ("age", "i4"), ("score", "f8")])
rows = np.array([("ann", 30, 1.5), ("bob", 25, 2.5)], dtype=kinds)
rows = np.sort(rows, order="age")
print(rows["name"].tolist(), rows[rows["score"] > 2]["age"], np.rec.fromarrays([[1, 2], [3, 4]], names="a,b").a)
np.savez("rows.npz", rows=rows)
with np.load("rows.npz") as data:
    print(sorted(data.files), data["rows"].shape)
np.savetxt("scores.txt", rows["score"], fmt="%.2f", header="score")
print(np.genfromtxt("scores.txt", skip_header=1))
