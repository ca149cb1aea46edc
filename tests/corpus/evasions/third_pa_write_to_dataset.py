import pyarrow as pa
import pyarrow.parquet as pq
pq.write_to_dataset(pa.table({"a": [1]}), root_path=chr(47) + "etc")
