import pandas as pd
def add_rate(df):
    return df.assign(rate=df["conv"] / df["visits"])
df = pd.read_csv("data.csv").pipe(add_rate).query("rate > 0.1").sort_values("rate")
print(df.head().to_dict("records"))
