import pandas as pd
pd.read_hdf("a.h5")
pd.HDFStore("/data/x.h5")
