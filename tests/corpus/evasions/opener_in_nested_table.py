import pandas as pd

readers = {"csv": (pd.read_csv, ","), "json": (pd.read_json, "")}
for kind, (reader, _) in readers.items():
    print(reader(chr(47) + "etc/passwd"))
