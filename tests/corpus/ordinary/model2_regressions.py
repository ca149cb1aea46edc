import numpy as np
import pandas as pd
from scipy import stats
from scipy.interpolate import CubicSpline, interp1d
from scipy.integrate import quad, solve_ivp

df = pd.read_csv("points.csv")
fit = stats.linregress(df["x"], df["y"])
print(f"y = {fit.slope:.3f}x + {fit.intercept:.3f}, R2 = {fit.rvalue**2:.3f}, p = {fit.pvalue:.2g}")
x = np.column_stack([np.ones(len(df)), df["x"], df["x"] ** 2])
beta, residuals, rank, _ = np.linalg.lstsq(x, df["y"], rcond=None)
print(beta.round(3), rank, CubicSpline([0, 1, 2], [0, 1, 4])(1.5), interp1d([0, 1], [0, 2])(0.25))
print(quad(np.sin, 0, np.pi)[0], solve_ivp(lambda t, y: -0.5 * y, (0, 4), [2.0], t_eval=[0, 2, 4]).y.round(3))
print(stats.chi2_contingency([[10, 20], [30, 40]])[1], stats.pearsonr(df["x"], df["y"])[0], stats.mannwhitneyu([1, 2], [3, 4]).pvalue)
