import pandas as pd
df = pd.DataFrame({"os": ["linux", "mac"], "n": [1, 2]})
print(df.os.unique(), [row.os for row in df.itertuples()])
