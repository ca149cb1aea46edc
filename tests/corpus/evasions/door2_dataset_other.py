import pyarrow as pa
try:
    pa.input_stream("/srv/app/data.bin")
except OSError as e:
    print("REACHED", e)
