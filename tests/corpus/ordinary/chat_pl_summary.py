import pandas as pd
from pandas.api.types import is_object_dtype, is_bool_dtype
df = pd.read_csv("data.csv", low_memory=False)
for col in df:
    s = df[col]
    if is_bool_dtype(s): kind = "bool"
    elif pd.api.types.is_numeric_dtype(s): kind = "num"
    elif is_object_dtype(s): kind = "text"
    else: kind = str(s.dtype)
    print(f"{col!s:20.20} {kind:6} unique={s.nunique()} top={s.mode().iat[0] if not s.mode().empty else None}")
df.info(verbose=True, memory_usage="deep")
print(df.describe(include="all", datetime_is_numeric=True) if False else df.describe(include="all"))
