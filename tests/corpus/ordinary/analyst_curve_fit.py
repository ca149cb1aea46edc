import numpy as np
from scipy.optimize import curve_fit
def model(t, a, k, c):
    return a * np.exp(-k * t) + c
t = np.linspace(0, 4, 50); y = model(t, 2.5, 1.3, 0.5)
popt, pcov = curve_fit(model, t, y, p0=[1, 1, 1])
perr = np.sqrt(np.diag(pcov))
final_answer(dict(zip(["a", "k", "c"], map(float, popt))))
