import pandas as pd
a = pd.DataFrame({"t": pd.to_datetime(["2024-01-01", "2024-01-03"]), "x": [1, 2]})
b = pd.DataFrame({"t": pd.to_datetime(["2024-01-02"]), "y": [9]})
print(pd.merge_asof(a, b, on="t", direction="backward").to_dict("records"))
