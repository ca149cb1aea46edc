import pandas as pd
df = pd.read_csv("a.csv")
limit = 3
df.query("a > @pd.io.common.os.getpid()")
