import pandas as pd
pd.DataFrame({"a": [1]}).apply("to_pickle", path="x.pkl")
