from scipy.optimize import linprog, minimize
from scipy.integrate import solve_ivp, odeint
from scipy.sparse import csr_matrix
from scipy.cluster.hierarchy import linkage
import numpy as np
r = minimize(lambda x: (x[0] - 1) ** 2 + (x[1] + 2) ** 2, [0, 0], method="Nelder-Mead")
print(np.round(r.x, 2).tolist(), linprog([1], bounds=[(1, 2)]).fun, solve_ivp(lambda t, y: -y, (0, 1), [1]).success, csr_matrix(np.eye(2)).nnz)
