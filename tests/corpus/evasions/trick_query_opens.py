import pandas as pd
df = pd.DataFrame({"a": [1]})
df.query("a.to_csv('/tmp/x') == 1")
