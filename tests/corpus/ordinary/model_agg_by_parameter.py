import pandas as pd


def summarise(df, by, column, how="mean"):
    return df.groupby(by)[column].agg(how)


df = pd.read_csv("scores.csv")
for how in ["mean", "median", "std", "count"]:
    print(how, summarise(df, "class", "score", how).round(2).to_dict())
stats = {"score": ["mean", "max"], "age": "min"}
print(df.groupby("class").agg(stats))
