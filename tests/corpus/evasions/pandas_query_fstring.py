import pandas as pd
df = pd.read_csv("a.csv")
col = open("c.txt").read()
df.query(f"{col} > 3")
