import warnings
warnings.filterwarnings("ignore")
import numpy as np
with np.errstate(divide="ignore", invalid="ignore"):
    print(np.nan_to_num(np.array([1.0, 0]) / np.array([0.0, 0])))
