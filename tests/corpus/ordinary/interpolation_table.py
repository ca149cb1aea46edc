from scipy import interpolate, integrate
f = interpolate.interp1d([0, 1], [0, 2])
print(float(f(0.5)), round(integrate.quad(lambda t: t**2, 0, 1)[0], 3))
