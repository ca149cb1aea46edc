import pandas as pd
store = pd.io.pytables
