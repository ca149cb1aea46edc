import pandas as pd
pd.read_parquet("s3://bucket/key.parquet")
