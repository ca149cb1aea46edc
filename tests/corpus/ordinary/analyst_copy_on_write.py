import pandas as pd
pd.options.mode.chained_assignment = None
pd.options.mode.copy_on_write = True
print(pd.__version__)
