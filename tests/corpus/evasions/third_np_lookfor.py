import numpy as np
np.lookfor("x", module="os", import_modules=True)
