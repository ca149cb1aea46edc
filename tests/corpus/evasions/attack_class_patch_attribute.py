import pandas as pd
df = pd.DataFrame()
df.__class__.to_csv = print
