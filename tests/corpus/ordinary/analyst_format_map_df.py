import pandas as pd
df = pd.DataFrame({"a": [1.234, 2.345]})
df["s"] = df["a"].map("{:.2f}".format)
print(df.to_string(formatters={"a": "{:,.1f}".format}))
