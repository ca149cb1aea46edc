import glob

import pandas as pd

candidates = glob.glob("*.xlsx") + glob.glob("*.csv")
path = next((c for c in candidates if "sales" in c.lower()), candidates[0] if candidates else "sales.csv")
df = pd.read_excel(path) if path.endswith(".xlsx") else pd.read_csv(path)
df.columns = [str(c).strip().lower().replace(" ", "_") for c in df.columns]
print(path, df.shape, df.dtypes.astype(str).to_dict())
