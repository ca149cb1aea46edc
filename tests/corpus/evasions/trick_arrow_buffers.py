import pyarrow as pa
pa.Array.from_buffers(pa.int64(), 1000, [None, pa.py_buffer(b"12345678")])
