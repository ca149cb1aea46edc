import pandas as pd
df = pd.read_csv("a.csv")
df.eval("b = a + 1")
