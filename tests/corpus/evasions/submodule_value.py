import numpy as np
r = np.random
r._pickle.loads(b"")
