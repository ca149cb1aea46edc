import numpy as np
np.char.chararray((4,), 8, False, b"x")
