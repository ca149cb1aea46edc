import pyarrow.dataset as ds
try:
    print("REACHED", ds.dataset("/etc/passwd", format="csv").schema)
except Exception as error:
    print("REACHED", type(error).__name__, str(error)[:100])
