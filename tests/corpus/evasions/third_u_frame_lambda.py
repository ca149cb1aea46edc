import pandas as pd
df = pd.DataFrame({"p": [chr(47) + "etc" + chr(47) + "passwd"]})
print(df["p"].map(lambda p: open(p).read()))
