import pandas as pd
df = pd.DataFrame({"a": [1]})
df.groupby("a").agg(x=("a", "to_pickle"))
