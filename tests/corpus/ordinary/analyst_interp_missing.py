import pandas as pd, numpy as np
df = pd.read_csv("data.csv", na_values=["", "NA", "-"], dtype={"id": str}, thousands=",", decimal=".")
df = df.drop_duplicates().dropna(subset=["id"]).fillna({"amount": 0}).replace({np.inf: np.nan})
print(df.isna().sum().to_dict(), df.dtypes.astype(str).to_dict(), df.memory_usage(deep=True).sum() > 0)
