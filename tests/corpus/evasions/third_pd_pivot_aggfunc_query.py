import pandas as pd
df = pd.DataFrame({"a": [1], "b": [2]})
print(df.pivot_table(index="a", aggfunc="eval"))
