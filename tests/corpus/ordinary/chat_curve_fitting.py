import warnings
import numpy as np
import matplotlib.pyplot as plt
from scipy.optimize import curve_fit, OptimizeWarning, minimize, brentq
from scipy.interpolate import CubicSpline, UnivariateSpline
from scipy.signal import savgol_filter, find_peaks
from scipy.integrate import quad, solve_ivp, trapezoid

warnings.filterwarnings("ignore", category=OptimizeWarning)
np.set_printoptions(precision=3, suppress=True)
t, signal = np.loadtxt("decay.txt", unpack=True, comments="%", skiprows=2)


def model(t, a, tau, c):
    return a * np.exp(-t / tau) + c


p0 = (np.ptp(signal), t.mean(), signal[-1])
popt, pcov = curve_fit(model, t, signal, p0=p0, bounds=([0, 1e-6, -np.inf], np.inf), maxfev=10_000)
perr = np.sqrt(np.diag(pcov))
for name, val, err in zip(["a", "tau", "c"], popt, perr):
    print(f"{name:>4} = {val:.4g} ± {err:.2g}")
smooth = savgol_filter(signal, 11, 3)
peaks, props = find_peaks(smooth, prominence=0.1)
spline = CubicSpline(t, smooth)
half = brentq(lambda x: model(x, *popt) - popt[0] / 2 - popt[2], t[0], t[-1])
area, _ = quad(model, t[0], t[-1], args=tuple(popt))
sol = solve_ivp(lambda x, y: -y / popt[1], (t[0], t[-1]), [popt[0]], t_eval=t, rtol=1e-8)
res = minimize(lambda p: np.sum((signal - model(t, *p)) ** 2), x0=popt, method="Nelder-Mead", options={"maxiter": 500})
print(half, area, trapezoid(signal, t), sol.success, res.message)
fig, ax = plt.subplots(nrows=2, sharex=True, height_ratios=[3, 1])
ax[0].errorbar(t, signal, yerr=signal.std(), fmt="k.", capsize=2, label="data")
ax[0].plot(t, model(t, *popt), "r-", label=rf"$\tau = {popt[1]:.2f}$")
ax[0].fill_between(t, model(t, *(popt - perr)), model(t, *(popt + perr)), alpha=.2)
ax[1].axhline(0, color="grey", ls="--")
ax[1].scatter(t, signal - model(t, *popt), s=5)
ax[0].annotate("half", xy=(half, model(half, *popt)), xytext=(10, 10), textcoords="offset points", arrowprops=dict(arrowstyle="->"))
ax[0].legend(); ax[0].set(ylabel="signal", yscale="log"); ax[1].set_xlabel("t / s")
plt.savefig("output/fit.pdf")
