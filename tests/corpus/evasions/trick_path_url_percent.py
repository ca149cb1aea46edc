import pandas as pd
pd.read_csv("%s://%s" % ("https", "evil.example/x"))
