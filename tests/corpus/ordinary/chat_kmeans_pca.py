import numpy as np
import pandas as pd
from scipy.cluster.hierarchy import dendrogram, fcluster, linkage
from scipy.cluster.vq import kmeans2, whiten
from scipy.spatial import ConvexHull, KDTree, distance
from scipy.spatial.distance import cdist, pdist, squareform
import matplotlib.pyplot as plt

df = pd.read_csv("iris.csv")
X = whiten(df.select_dtypes("number").dropna().values)
U, s, Vt = np.linalg.svd(X - X.mean(0), full_matrices=False)
explained = s**2 / (s**2).sum()
scores = U[:, :2] * s[:2]
centroids, label = kmeans2(X, 3, minit="++", seed=1)
inertia = [(k, min(kmeans2(X, k, seed=j, minit="points")[1].size for j in range(3))) for k in range(2, 6)]
Z = linkage(X, "ward")
clusters = fcluster(Z, t=3, criterion="maxclust")


def silhouette(X, labels):
    D = squareform(pdist(X))
    out = []
    for i in range(len(X)):
        same = labels == labels[i]
        a = D[i, same].sum() / max(same.sum() - 1, 1)
        b = min(D[i, labels == other].mean() for other in np.unique(labels) if other != labels[i])
        out.append((b - a) / max(a, b))
    return float(np.mean(out))


print(explained.cumsum().round(3), silhouette(X, label), pd.crosstab(label, clusters))
fig, axs = plt.subplot_mosaic([["scatter", "scree"], ["tree", "tree"]], figsize=(10, 8))
for k in np.unique(label):
    pts = scores[label == k]
    axs["scatter"].scatter(*pts.T, s=12, label=f"cluster {k}")
    hull = ConvexHull(pts)
    for simplex in hull.simplices:
        axs["scatter"].plot(pts[simplex, 0], pts[simplex, 1], "k-", lw=.5)
axs["scree"].bar(range(1, len(explained) + 1), explained)
dendrogram(Z, ax=axs["tree"], no_labels=True)
fig.savefig("output/clusters.png")
dist, idx = KDTree(X).query(X[:5], k=3)
print(dist, idx, cdist(X[:2], centroids, metric="cityblock"))
