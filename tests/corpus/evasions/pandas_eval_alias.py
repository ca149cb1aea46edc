import pandas as pd
e = pd.eval
e("1+1")
