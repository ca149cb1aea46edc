import numpy as np
np.testing.assert_allclose([1.0], [1.0 + 1e-9], rtol=1e-6)
print("ok")
