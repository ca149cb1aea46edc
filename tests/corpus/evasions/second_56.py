import pyarrow.fs
