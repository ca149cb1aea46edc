import pandas as pd
df = pd.DataFrame({"obj": [1, 2], "test": [3, 4], "profile": [0, 1]})
print(df.obj.sum(), df.test.sum(), df.profile.max())
