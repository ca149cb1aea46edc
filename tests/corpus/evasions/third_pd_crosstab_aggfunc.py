import pandas as pd
df = pd.DataFrame({"a": [1], "b": [2]})
print(pd.crosstab(df.a, df.b, values=df.a, aggfunc="to_clipboard"))
