import pandas as pd
df = pd.DataFrame({"a": [1]})
df.agg(x=pd.NamedAgg("a", "to_clipboard"))
