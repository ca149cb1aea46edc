import pandas as pd
s = pd.Series([1, 2, 3])
for name in ("mean", "median", "std"):
    print(name, getattr(s, name)())
