import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from scipy import stats

plt.rc("text", usetex=False, color="black")
values = np.random.default_rng(1).normal(5, 2, 200)
plt.figure(figsize=(5, 4))
stats.probplot(values, dist="norm", plot=plt)
plt.title("Normal?")
plt.savefig("normal.png")
print(stats.shapiro(values).pvalue > 0.05)
