import pandas as pd
name = "plotting" + "." + "".join(["backend"])
pd.set_option(name, "this")
