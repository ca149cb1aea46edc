import pandas as pd
host = "evil.example"
try:
    pd.read_csv("%s://%s/x" % ("http", host))
except Exception as e:
    print("REACHED", e)
