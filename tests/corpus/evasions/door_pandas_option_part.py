import pandas as pd
pd.set_option("plotting.backen", "this")
print("REACHED", pd.get_option("plotting.backend"))
