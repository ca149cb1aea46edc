import pyarrow as pa
from pyarrow import csv
csv.CSVWriter(chr(47) + "etc/x", pa.schema([]))
