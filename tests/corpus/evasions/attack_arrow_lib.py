import pyarrow as pa
pa.lib.py_buffer(b"x")
