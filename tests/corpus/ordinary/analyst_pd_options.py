import pandas as pd
pd.set_option("display.max_columns", None)
pd.set_option("display.width", 200)
pd.options.display.float_format = "{:,.2f}".format
print(pd.DataFrame({"a": [1234.5]}))
