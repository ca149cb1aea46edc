import pandas as pd, statistics
s = None
try:
    statistics.nothing
except AttributeError as e:
    s = pd.Series([e])
for x in s:
    print(x.obj.fmean)
