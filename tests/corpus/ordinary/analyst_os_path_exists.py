import os
import pandas as pd
base = os.getcwd()
path = os.path.join(base, "data.csv")
if os.path.exists(path):
    df = pd.read_csv(path)
    print(df.shape)
os.makedirs("output", exist_ok=True)
