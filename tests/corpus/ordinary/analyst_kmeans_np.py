import numpy as np
rng = np.random.default_rng(0)
x = np.vstack([rng.normal(c, .3, (50, 2)) for c in ((0, 0), (3, 3))])
centers = x[rng.choice(len(x), 2, replace=False)]
for _ in range(100):
    labels = np.argmin(((x[:, None] - centers) ** 2).sum(-1), axis=1)
    new = np.array([x[labels == k].mean(0) for k in range(2)])
    if np.allclose(new, centers): break
    centers = new
print(centers.round(1).tolist())
