import pandas as pd
print(pd.Timestamp("2024-01-01", tz="dateutil//etc/localtime"))
