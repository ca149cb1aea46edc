import pandas as pd
df = pd.DataFrame({"p": [chr(47) + "etc" + chr(47) + "passwd"]})
print(open(df["p"].iloc[0]).read())
