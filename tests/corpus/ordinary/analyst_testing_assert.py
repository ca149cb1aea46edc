import pandas as pd
a = pd.DataFrame({"x": [1]}); b = a.copy()
pd.testing.assert_frame_equal(a, b)
print("same")
