import pandas as pd
pd.DataFrame({"a": [1]}).to_markdown(buf=chr(47) + "etc/x")
