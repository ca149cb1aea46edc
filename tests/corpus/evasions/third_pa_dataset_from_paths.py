import pyarrow.dataset as ds
ds.parquet_dataset(chr(47) + "etc/_metadata")
