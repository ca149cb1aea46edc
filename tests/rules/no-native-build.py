# ruleid: no-native-build
import numpy.f2py

# ruleid: no-native-build
from numpy import f2py

# ruleid: no-native-build
from distutils.core import setup

# ruleid: no-native-build
import setuptools

import numpy as np

# ruleid: no-native-build
np.f2py.compile("subroutine f()")

# ok: no-native-build
import numpy.linalg

# ok: no-native-build
x = np.linalg.solve([[1.0]], [1.0])
