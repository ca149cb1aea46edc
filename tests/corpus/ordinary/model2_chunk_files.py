import os

import pandas as pd

CHUNK = 1000
base, ext = os.path.splitext(os.path.basename("big.csv"))
for number, chunk in enumerate(pd.read_csv("big.csv", chunksize=CHUNK)):
    chunk.to_csv(f"{base}_{number:03d}{ext}", index=False)
    print(number, len(chunk))
latest = max((f for f in os.listdir(".") if f.endswith(".csv")), key=os.path.getmtime)
print(latest, pd.read_csv(latest).shape)
