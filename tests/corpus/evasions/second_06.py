import numpy as np
np.fromstring
np.savez("a", x=np.array([object()], dtype=object), allow_pickle=True)
