from scipy.optimize import differential_evolution as de
options = {"workers": 4}
de(lambda x: x[0], [(0, 1)], **options)
