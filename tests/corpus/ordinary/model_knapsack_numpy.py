import numpy as np

weights, values, capacity = [3, 4, 5, 9], [30, 50, 60, 95], 15
best = np.zeros(capacity + 1, dtype=int)
for w, v in zip(weights, values):
    best[w:] = np.maximum(best[w:], best[:-w] + v)
print(best[-1], pow(3, 10**6, 998244353), 2**200 % 97)
