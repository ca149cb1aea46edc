import pandas as pd
base = "https://example.org"
pd.read_csv(base + "/data.csv")
