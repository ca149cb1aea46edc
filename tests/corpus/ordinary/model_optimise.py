import numpy as np
from scipy.optimize import curve_fit, differential_evolution, linprog, minimize


def model(x, a, b, c):
    return a * np.exp(-b * x) + c


x = np.linspace(0, 4, 50)
y = model(x, 2.5, 1.3, 0.5) + np.random.default_rng(0).normal(0, 0.05, 50)
params, cov = curve_fit(model, x, y, p0=[1, 1, 1])
print(params.round(2), np.sqrt(np.diag(cov)).round(3))
best = differential_evolution(lambda p: ((model(x, *p) - y) ** 2).sum(), [(0, 5)] * 3, seed=1, maxiter=50)
print(best.x.round(1), minimize(lambda v: (v[0] - 1) ** 2, [0.0], method="Nelder-Mead").fun < 1e-6)
print(linprog([-1, -2], A_ub=[[1, 1]], b_ub=[4], bounds=[(0, None), (0, 3)]).x)
