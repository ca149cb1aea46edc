import pyarrow.parquet as pq
pq.write_metadata(None, chr(47) + "etc/x")
