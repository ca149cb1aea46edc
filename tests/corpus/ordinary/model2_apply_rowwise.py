import pandas as pd

df = pd.DataFrame({"first": ["Ann", "Bo"], "last": ["Lee", "Ray"], "score": [55, 80]})
BANDS = [(80, "A"), (60, "B"), (0, "C")]


def grade(score):
    for low, letter in BANDS:
        if score >= low:
            return letter
    return "?"


df["grade"] = df["score"].map(grade)
df["name"] = df.apply(lambda row: f"{row['last']}, {row['first'][0]}.", axis=1)
df["wide"] = df[["first", "last"]].agg(" ".join, axis=1)
df = df.assign(rank=lambda d: d["score"].rank(ascending=False).astype(int)).rename(columns=str.upper)
print(df.to_dict("records"), df.groupby("GRADE")["SCORE"].agg(lambda s: list(s)).to_dict())
for row in df.itertuples():
    print(row.Index, row.NAME)
for _, row in df.iterrows():
    print(row["NAME"], row.get("RANK"))
