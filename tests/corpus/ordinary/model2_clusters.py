import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.cluster.vq import kmeans2, whiten
from scipy.spatial import KDTree, distance

rng = np.random.default_rng(3)
points = np.vstack([rng.normal(0, 1, (30, 2)), rng.normal(5, 1, (30, 2))])
centres, labels = kmeans2(whiten(points), 2, seed=1, minit="++")
tree = KDTree(points)
near, index = tree.query(points[:3], k=4)
print(np.bincount(labels), near.round(2)[0], len(tree.query_ball_point([0, 0], r=1.5)))
print(fcluster(linkage(points, "ward"), 2, criterion="maxclust")[:5], distance.cdist(points[:2], points[:2]).shape)
single = tree.query([0.0, 0.0])
print(single)
