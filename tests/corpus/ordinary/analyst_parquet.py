import pyarrow as pa, pyarrow.parquet as pq, pyarrow.compute as pc
t = pq.read_table("in.parquet", columns=["a", "b"])
print(t.schema, pc.sum(t["a"]).as_py(), pc.mean(t.column("b")))
pq.write_table(t.filter(pc.greater(t["a"], 3)), "output/out.parquet", compression="zstd")
