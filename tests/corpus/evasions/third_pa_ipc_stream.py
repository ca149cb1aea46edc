import pyarrow as pa
pa.ipc.RecordBatchFileReader(chr(47) + "etc/x")
