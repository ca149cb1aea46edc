import numpy as np
open(np.get_include() + "/x", "w")
