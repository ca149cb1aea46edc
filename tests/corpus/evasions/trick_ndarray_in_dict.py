import numpy as np
kinds = {"n": np.ndarray}
kinds["n"]((9,), buffer=b"x", strides=(0,))
