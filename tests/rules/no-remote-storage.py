import pandas as pd
import pyarrow as pa

# ruleid: no-remote-storage
import boto3

# ruleid: no-remote-storage
from pyarrow import fs

# ruleid: no-remote-storage
from pyarrow.fs import LocalFileSystem

# ruleid: no-remote-storage
import fsspec

# ruleid: no-remote-storage
from google.cloud import storage

# ruleid: no-remote-storage
a = pd.read_csv("rows.csv", storage_options={"anon": True})
# ruleid: no-remote-storage
b = pa.fs.LocalFileSystem()

# ok: no-remote-storage
c = pd.read_parquet("rows.parquet", columns=["a"])
# ok: no-remote-storage
storage_options = None
