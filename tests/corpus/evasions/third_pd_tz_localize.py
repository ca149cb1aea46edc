import pandas as pd
print(pd.Series(pd.to_datetime(["2024-01-01"])).dt.tz_localize("dateutil//etc/localtime"))
