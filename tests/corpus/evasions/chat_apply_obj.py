import pandas as pd, statistics
try:
    statistics.nothing
except AttributeError as e:
    s = pd.Series([e])
print(s.map(lambda x: x.obj))
