from scipy.integrate import quad_vec
print(quad_vec(lambda x: x, 0, 1, workers=4))
