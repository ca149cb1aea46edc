from scipy.integrate import quad_vec
o = {"workers": 4}
quad_vec(lambda x: x, 0, 1, **o)
