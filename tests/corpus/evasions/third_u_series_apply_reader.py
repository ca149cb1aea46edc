import pandas as pd
print(pd.Series([chr(47) + "etc" + chr(47) + "passwd"]).apply(pd.read_csv))
