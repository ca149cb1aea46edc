import pandas as pd
host = "example.org"
pd.read_json(f"http://{host}/x.json")
