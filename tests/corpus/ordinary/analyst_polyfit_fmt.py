import numpy as np
x = np.arange(10); y = 2 * x + 1
slope, intercept = np.polyfit(x, y, 1)
r2 = np.corrcoef(x, y)[0, 1] ** 2
print("y = {:.2f}x + {:.2f}, R² = {:.3f}".format(slope, intercept, r2))
