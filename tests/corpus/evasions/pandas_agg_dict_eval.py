import pandas as pd
pd.DataFrame({"a": [1]}).agg({"a": "to_pickle"})
