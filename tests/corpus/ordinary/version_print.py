import numpy as np
import pandas as pd
import sys
print(np.__version__, pd.__version__, sys.version_info[:2])
