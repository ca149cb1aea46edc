import pandas as pd
pd.DataFrame({"a": [1]}).to_csv(path_or_buf="#tmp#x".translate(str.maketrans("#", "/")))
