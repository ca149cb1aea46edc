import pandas as pd
df = pd.read_csv("a.csv")
df.query("a.__class__ == 1")
