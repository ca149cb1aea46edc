import pyarrow as pa
pa.output_stream("/tmp/x")
