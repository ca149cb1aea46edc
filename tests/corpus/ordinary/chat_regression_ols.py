import numpy as np
import pandas as pd
from scipy import stats

df = pd.read_csv("housing.csv")
features = ["area", "rooms", "age"]
X = df[features].to_numpy(dtype=float)
X = np.column_stack([np.ones(len(X)), X])
y = df["price"].to_numpy(dtype=float)
beta, residuals, rank, sv = np.linalg.lstsq(X, y, rcond=None)
y_hat = X @ beta
resid = y - y_hat
n, k = X.shape
sigma2 = resid @ resid / (n - k)
cov = sigma2 * np.linalg.inv(X.T @ X)
se = np.sqrt(np.diag(cov))
t = beta / se
p = 2 * stats.t.sf(np.abs(t), df=n - k)
ci = stats.t.ppf(0.975, n - k) * se
r2 = 1 - resid.var() / y.var()
table = pd.DataFrame({"coef": beta, "se": se, "t": t, "p": p, "lo": beta - ci, "hi": beta + ci}, index=["const", *features])
print(table.round(4).to_string())
print(f"R² = {r2:.3f}, adj. R² = {1 - (1 - r2) * (n - 1) / (n - k):.3f}")
dw = np.sum(np.diff(resid) ** 2) / np.sum(resid ** 2)
jb = stats.jarque_bera(resid)
print(f"Durbin-Watson {dw:.2f}; Jarque-Bera {jb.statistic:.2f} (p={jb.pvalue:.3g})")
lev = np.einsum("ij,jk,ik->i", X, np.linalg.pinv(X.T @ X), X)
cooks = resid**2 / (k * sigma2) * lev / (1 - lev) ** 2
print("Influential:", df.index[cooks > 4 / n].tolist())
