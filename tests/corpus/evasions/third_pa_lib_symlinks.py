import pyarrow as pa
pa.create_library_symlinks()
