import pandas as pd
def read_csv(p):
    return p
print((lambda read_csv: read_csv("/etc/passwd"))(pd.read_csv))
