import numpy as np
rng = np.random.default_rng(42)
x = rng.normal(size=1000)
boot = np.array([rng.choice(x, x.size).mean() for _ in range(2000)])
lo, hi = np.percentile(boot, [2.5, 97.5])
final_answer({"mean": float(x.mean()), "ci": [float(lo), float(hi)]})
