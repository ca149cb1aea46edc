import numpy as np
from scipy.spatial import cKDTree
tree = cKDTree(np.random.default_rng(0).random((10, 2)))
points = np.array([[0.5, 0.5]])
dist, idx = tree.query(points, k=2)
print(idx.shape)
