import pandas as pd
name = str("to_") + str("csv")
pd.DataFrame({"a": [1]}).transform(name, 0, "/tmp/x")
