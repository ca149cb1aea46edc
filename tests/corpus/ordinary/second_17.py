import pandas as pd
left = pd.DataFrame({"k": [1, 2], "a": ["x", "y"]})
right = pd.DataFrame({"k": [1, 3], "b": [0.1, 0.2]})
m = left.merge(right, on="k", how="outer", indicator=True, validate="one_to_one")
print(m["_merge"].value_counts().to_dict())
print(pd.concat([left, left], ignore_index=True).drop_duplicates().shape)
