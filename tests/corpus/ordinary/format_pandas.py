import pandas as pd
pd.options.display.float_format = "{:,.2f}".format
pd.set_option("display.max_columns", 20)
df = pd.DataFrame({"price": [1234.5, 2.25]})
print(df["price"].map("{:.1f}".format).tolist())
