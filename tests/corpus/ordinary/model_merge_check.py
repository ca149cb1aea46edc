import pandas as pd
from pandas.testing import assert_frame_equal

left = pd.DataFrame({"k": [1, 2, 3], "a": list("xyz")})
right = pd.DataFrame({"k": [2, 3, 4], "b": [0.5, 1.5, 2.5]})
both = left.merge(right, on="k", how="outer", indicator=True, validate="one_to_one")
print(both["_merge"].value_counts().to_dict())
inner = both.query("_merge == 'both'").drop(columns="_merge").reset_index(drop=True)
assert_frame_equal(inner, left.merge(right, on="k"), check_dtype=False)
pd.testing.assert_series_equal(left["k"], left["k"].copy())
print(inner.to_markdown(index=False))
