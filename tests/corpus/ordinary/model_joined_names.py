import os

import pandas as pd

BASE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(BASE, "data.csv")
parts = ["report", "2024", "final"]
df = pd.read_csv(DATA)
name = "_".join(parts) + ".csv"
os.makedirs("output", exist_ok=True)
df.to_csv(os.path.join("output", name))
root, ext = os.path.splitext("data.csv")
df.head().to_csv(root + "_head" + ext)
for entry in sorted(os.listdir(".")):
    if entry.endswith(".csv"):
        print(entry, os.path.getsize(entry))
