from scipy import stats
import scipy.stats as st
import numpy as np
a, b = np.random.default_rng(1).normal(size=(2, 40))
print(stats.ttest_ind(a, b, equal_var=False).pvalue, st.mannwhitneyu(a, b).pvalue, stats.shapiro(a).statistic)
