import pandas as pd
from pathlib import Path

# ruleid: no-read-pickle
table = pd.read_pickle("cache.pkl")
# ruleid: no-read-pickle
table.to_pickle("cache.pkl")
# ruleid: no-read-pickle
load = pd.read_pickle
# ruleid: no-read-pickle
pd.DataFrame({"a": [1]}).pipe(pd.DataFrame.to_pickle, "x.pkl")
# ruleid: no-read-pickle
store = pd.HDFStore("rows.h5")
# ruleid: no-read-pickle
other = pd.read_hdf("rows.h5", "rows")

# ok: no-read-pickle
kept = pd.read_parquet("cache.parquet")
# ok: no-read-pickle
kept.to_parquet("cache.parquet")
# ok: no-read-pickle
name = Path("read_pickle.csv").name
# ruleid: no-read-pickle
from pandas.io.pickle import read_pickle

# ruleid: no-read-pickle
kept.apply("to_pickle", path="x.pkl")
# ruleid: no-read-pickle
kept.agg({"a": "to_pickle"})
