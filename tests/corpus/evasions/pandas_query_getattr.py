import pandas as pd
df = pd.read_csv("a.csv")
getattr(df, "query")("a > 1")
