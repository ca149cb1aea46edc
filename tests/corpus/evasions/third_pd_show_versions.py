import pandas as pd
pd.show_versions(as_json=chr(47) + "etc/x")
