import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pcsv
import pyarrow.parquet as pq

table = pa.table({"a": [1, 2, 3], "b": ["x", "y", None]})
pq.write_table(table, "t.parquet", compression="zstd")
again = pq.read_table("t.parquet", columns=["a", "b"], filters=[("a", ">", 1)])
print(again.num_rows, pc.sum(again["a"]).as_py(), again.schema.field("b").type, pa.types.is_string(again.schema.field("b").type))
pcsv.write_csv(again, "t.csv")
pd.DataFrame({"c": [1.5]}).to_feather("c.feather")
