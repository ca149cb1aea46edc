import pandas as pd
print(pd.api.types.np.load)
