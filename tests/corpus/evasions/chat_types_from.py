from pandas.api.types import pandas_dtype, np
print(np)
