from collections import Counter

import pandas as pd

table = pd.DataFrame({"mixed": [1, "two", 3.0], "whole": [1, 2, 3]})
types = Counter(map(type, table["mixed"]))
for kind, number in types.items():
    print(kind.__name__, number)
print(table["mixed"].apply(type).value_counts(), table["whole"].map(type).iloc[0])
