import pandas as pd

df = pd.read_csv("devices.csv")
counts = df.os.value_counts()
for row in df.itertuples(index=False):
    if row.os == "linux" and row.platform != "arm":
        print(row.name, row.os, row.types)
print({name: int(n) for name, n in counts.items()}, df[["os", "platform"]].drop_duplicates().shape)
