import pandas as pd
df = pd.DataFrame({"path": ["/home/a", "/usr/bin", "../x"], "size": [1, 2, 3]})
print(df[df["path"].str.startswith("/home/")].to_dict("records"))
