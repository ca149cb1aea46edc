import scipy.stats as s
print(s.distributions.np.load)
