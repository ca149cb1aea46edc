name = "%cetc" % 47
import pandas as pd
pd.read_csv(name)
