import pandas as pd
pd.Series([1]).aggregate(["to_" + "clipboard"])
