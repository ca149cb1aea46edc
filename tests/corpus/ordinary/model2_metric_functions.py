import numpy as np
import statistics

METRICS = {"mean": np.mean, "median": np.median, "std": lambda x: float(np.std(x, ddof=1)), "mode": statistics.mode}
values = [1, 2, 2, 3, 10]
for name, func in METRICS.items():
    print(f"{name:<8}{func(values):>8.2f}")
for name in ("sum", "min", "max"):
    print(name, getattr(np, name)(values))
