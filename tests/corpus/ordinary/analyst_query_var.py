import pandas as pd
df = pd.read_csv("data.csv")
threshold = 10
print(len(df.query("amount > @threshold")))
