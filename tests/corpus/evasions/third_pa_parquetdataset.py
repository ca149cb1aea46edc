import pyarrow.parquet as pq
pq.ParquetDataset(chr(47) + "etc").read()
