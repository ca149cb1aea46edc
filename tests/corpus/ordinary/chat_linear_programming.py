import numpy as np
from scipy.optimize import linprog, milp, LinearConstraint, Bounds, linear_sum_assignment

profit = np.array([40, 30, 25])
A = np.array([[2, 1, 1], [1, 3, 2]])
b = np.array([100, 120])
res = linprog(-profit, A_ub=A, b_ub=b, bounds=[(0, None)] * 3, method="highs")
if not res.success:
    raise RuntimeError(res.message)
print("LP", res.x.round(2), -res.fun, res.ineqlin.marginals)
ints = milp(-profit, constraints=LinearConstraint(A, -np.inf, b), integrality=np.ones(3), bounds=Bounds(0, np.inf))
print("MILP", ints.x, -ints.fun)
cost = np.random.default_rng(0).integers(1, 20, (5, 5))
r, c = linear_sum_assignment(cost)
print(dict(zip(r.tolist(), c.tolist())), cost[r, c].sum())
