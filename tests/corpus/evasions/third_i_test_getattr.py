import numpy as np
getattr(np, "test")()
