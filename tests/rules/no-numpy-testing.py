import numpy as np

# ok: no-numpy-testing
import numpy.testing as npt

# ruleid: no-numpy-testing
from numpy.testing import runstring

# ruleid: no-numpy-testing
from matplotlib.testing import compare

# ruleid: no-numpy-testing
np.testing.runstring("print(1)", {})
# ruleid: no-numpy-testing
helper = np.testing.measure

# ok: no-numpy-testing
assert np.allclose([1.0], [1.0])
# ok: no-numpy-testing
testing = np.array([1])
