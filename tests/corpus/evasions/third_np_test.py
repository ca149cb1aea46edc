import numpy as np
np.test(extra_argv=["-p", "helper"])
