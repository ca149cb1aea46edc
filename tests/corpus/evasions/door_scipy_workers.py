from scipy.optimize import differential_evolution
def f(x): return x[0] ** 2
try:
    print("REACHED", differential_evolution(f, [(-1, 1)], workers=2, maxiter=1, updating="deferred").fun)
except Exception as error:
    print("REACHED", type(error).__name__, str(error)[:80])
