import pandas as pd
print(pd.Series(["a" * 50]).str.contains("(a+)+$b"))
