import pandas as pd
df = pd.DataFrame({"a": [1], "b": [2]})
low = 1
df.query("a > @low and b.to_pickle('x') == 1")
