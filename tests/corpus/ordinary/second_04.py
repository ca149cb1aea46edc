from scipy import stats
import scipy.stats as ss
res = stats.linregress([1, 2, 3], [2, 4, 6.1])
print(res.slope, ss.pearsonr([1, 2, 3], [1, 2, 4])[0], stats.norm(loc=0, scale=1).ppf(0.975))
