import numpy as np
from scipy.stats import bootstrap, permutation_test, ks_2samp, shapiro, levene, f_oneway, kruskal, ttest_rel, wilcoxon, pearsonr, spearmanr, kendalltau, gaussian_kde, zscore, iqr, trim_mean, norm, poisson, binomtest, fisher_exact, linregress, theilslopes
rng = np.random.default_rng(99)
x, y = rng.normal(10, 2, 60), rng.normal(11, 3, 60)
res = bootstrap((x,), np.mean, n_resamples=999, confidence_level=.9, random_state=rng, method="BCa")
print(res.confidence_interval, res.standard_error)
perm = permutation_test((x, y), lambda a, b, axis: a.mean(axis=axis) - b.mean(axis=axis), vectorized=True, n_resamples=999)
for name, test in {"ks": ks_2samp, "levene": levene, "anova": f_oneway, "kruskal": kruskal, "paired": ttest_rel, "wilcoxon": wilcoxon, "pearson": pearsonr, "spearman": spearmanr, "kendall": kendalltau}.items():
    stat, p = test(x, y)
    star = "***" if p < .001 else "**" if p < .01 else "*" if p < .05 else "ns"
    print(f"{name:<10}{stat:>9.3f}{p:>10.4f} {star}")
print(perm.pvalue, shapiro(x).pvalue, binomtest(7, 10).pvalue, fisher_exact([[8, 2], [1, 5]]).pvalue, linregress(x, y).slope, theilslopes(y, x)[0])
kde = gaussian_kde(x, bw_method="silverman")
grid = np.linspace(x.min(), x.max(), 200)
print(grid[np.argmax(kde(grid))], iqr(x), trim_mean(x, .1), zscore(x)[:3], poisson.pmf(3, mu=2), norm.interval(.95))
