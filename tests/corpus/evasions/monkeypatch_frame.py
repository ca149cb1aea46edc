import pandas as pd
pd.DataFrame.to_csv = lambda *a, **k: None
