import pandas as pd
pd.options.plotting.backend = "this"
