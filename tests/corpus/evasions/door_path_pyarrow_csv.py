from pyarrow import csv
print("REACHED", csv.open_csv("/etc/passwd").schema)
