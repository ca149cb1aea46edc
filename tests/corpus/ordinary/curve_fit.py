import numpy as np
from scipy.optimize import curve_fit
def model(x, a, b):
    return a * np.exp(-b * x)
x = np.linspace(0, 4, 20)
popt, pcov = curve_fit(model, x, model(x, 2.5, 1.3))
print(popt.round(2).tolist())
