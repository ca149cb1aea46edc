import pandas as pd
df = pd.read_csv("data.csv")
df["grade"] = df.apply(lambda row: "A" if row["score"] >= 90 else "B" if row.score >= 80 else "C", axis=1)
df["len"] = df["name"].apply(len); df["up"] = df["name"].map(str.upper)
print(df.groupby("grade", observed=True).size().to_dict())
