import pandas as pd
o = {}
o["back" + "end"] = "this"
pd.DataFrame({"a": [1]}).plot(**o)
