from scipy import optimize
optimize.brute(lambda x: x[0], ((0, 1),), workers=-1)
