import pandas as pd
pd.DataFrame({"a": ["-2+3+cmd|' /C calc'!D2"]}).to_excel("x.xlsx")
