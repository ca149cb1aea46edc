import numpy as np
rng = np.random.default_rng(1)
n = 1_000_000
print(round(float((rng.random(n) ** 2 + rng.random(n) ** 2 < 1).mean() * 4), 2))
