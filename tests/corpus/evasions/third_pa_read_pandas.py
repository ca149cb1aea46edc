import pyarrow.parquet as pq
pq.read_pandas(chr(47) + "etc/x.parquet")
