import csv
from collections import defaultdict, deque
import numpy as np
from scipy.sparse import csr_matrix, coo_matrix, diags, eye
from scipy.sparse.csgraph import connected_components, shortest_path, minimum_spanning_tree
from scipy.sparse.linalg import eigsh, spsolve
edges = [tuple(r[:2]) for r in csv.reader(open("edges.csv"))][1:]
nodes = sorted({n for e in edges for n in e})
idx = {n: i for i, n in enumerate(nodes)}
i, j = zip(*[(idx[a], idx[b]) for a, b in edges])
A = coo_matrix((np.ones(len(edges)), (i, j)), shape=(len(nodes),) * 2)
A = ((A + A.T) > 0).astype(float).tocsr()
deg = np.asarray(A.sum(axis=1)).ravel()
n_comp, labels = connected_components(A, directed=False)
d = shortest_path(A, unweighted=True)
closeness = (len(nodes) - 1) / np.where(np.isinf(d), 0, d).sum(axis=1)
M = diags(1 / np.maximum(deg, 1)) @ A
rank = np.full(len(nodes), 1 / len(nodes))
for _ in range(100):
    rank = .15 / len(nodes) + .85 * (M.T @ rank)
w, v = eigsh(A, k=1, which="LA")
lap = diags(deg) - A
print(n_comp, minimum_spanning_tree(A).nnz, spsolve((lap + eye(len(nodes))).tocsc(), deg)[:3])
for n in sorted(nodes, key=lambda n: -rank[idx[n]])[:5]:
    print(f"{n:<12} deg={deg[idx[n]]:.0f} close={closeness[idx[n]]:.3f} pr={rank[idx[n]]:.4f} eig={abs(v[idx[n], 0]):.3f}")
