from scipy.optimize import minimize
minimize(lambda x: x[0] ** 2, [1.0], options={"workers": 4})
