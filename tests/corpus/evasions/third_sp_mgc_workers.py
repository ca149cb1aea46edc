from scipy import stats
print(stats.multiscale_graphcorr([[1.0]], [[2.0]], workers=-1))
