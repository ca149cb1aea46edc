import pandas as pd
pd.DataFrame({"a": [1]}).style.to_html(buf=chr(47) + "etc/x")
