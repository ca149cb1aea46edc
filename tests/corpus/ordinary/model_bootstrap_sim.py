import numpy as np
from scipy import stats

rng = np.random.default_rng(7)
sample = rng.gamma(2.0, 3.0, size=200)
draws = rng.choice(sample, size=(2000, sample.size), replace=True).mean(axis=1)
low, high = np.percentile(draws, [2.5, 97.5])
print(f"{sample.mean():.3f} [{low:.3f}, {high:.3f}]")
print(stats.bootstrap((sample,), np.mean, n_resamples=500, random_state=rng).confidence_interval)
print(stats.ttest_1samp(sample, 6.0), stats.shapiro(sample).pvalue, stats.kstest(sample, "gamma", args=(2, 0, 3)).statistic)
