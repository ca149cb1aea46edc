import warnings

import numpy as np
import pandas as pd

warnings.filterwarnings("ignore", category=FutureWarning)
pd.set_option("display.max_columns", None)
pd.set_option("display.width", 120)
pd.options.display.float_format = "{:,.2f}".format
np.set_printoptions(precision=3, suppress=True)
with pd.option_context("display.max_rows", 5):
    print(pd.DataFrame(np.random.default_rng(0).normal(size=(10, 3)), columns=list("abc")))
