import pandas as pd
df = pd.DataFrame({"file": ["/data/a.csv", "/data/b.txt"], "size": [1, 2]})
df["ext"] = df["file"].str.extract(r"\.(\w+)$")
df["date"] = pd.to_datetime("2024-01-01")
print(df.to_dict("list")["ext"])
df.to_json("files.json", orient="records")
