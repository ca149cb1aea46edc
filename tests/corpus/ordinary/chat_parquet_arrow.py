import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pyarrow.dataset as ds
import pyarrow.feather as feather

table = pacsv.read_csv("trips.csv", read_options=pacsv.ReadOptions(block_size=1 << 20),
                       convert_options=pacsv.ConvertOptions(column_types={"fare": pa.float64(), "zone": pa.string()}))
print(table.schema, table.num_rows, table.nbytes)
table = table.append_column("tip_share", pc.divide(table["tip"], pc.add(table["fare"], table["tip"])))
mask = pc.and_(pc.greater(table["fare"], 0), pc.is_valid(table["zone"]))
clean = table.filter(mask)
grouped = clean.group_by("zone").aggregate([("fare", "mean"), ("tip_share", "max"), ("fare", "count")]).sort_by([("fare_mean", "descending")])
pq.write_table(grouped, "output/zones.parquet", compression="zstd", row_group_size=1000)
meta = pq.read_metadata("output/zones.parquet")
print(meta.num_row_groups, meta.row_group(0).column(0).statistics)
pf = pq.ParquetFile("output/zones.parquet")
for batch in pf.iter_batches(batch_size=100, columns=["zone", "fare_mean"]):
    for row in batch.to_pylist()[:3]:
        print(row)
dataset = ds.dataset("output/zones.parquet", format="parquet")
print(dataset.to_table(filter=ds.field("fare_count") > 10).to_pandas().head())
feather.write_feather(grouped, "output/zones.feather")
schema = pa.schema([pa.field("id", pa.int32(), nullable=False), ("when", pa.timestamp("ms", tz="UTC")), ("tags", pa.list_(pa.string()))])
empty = pa.Table.from_pylist([{"id": 1, "when": None, "tags": ["a", "b"]}], schema=schema)
print(empty.to_pydict(), pc.unique(table["zone"]).to_pylist()[:5])
