import pyarrow as pa
pa.fs.LocalFileSystem()
