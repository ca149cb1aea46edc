import pandas as pd
parts = ["http", "", "10.0.0.1", "x.csv"]
try:
    pd.read_csv("/".join([parts[0] + ":"] + parts[1:]))
except Exception as e:
    print("REACHED", e)
