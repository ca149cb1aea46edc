import pandas as pd


def band(value, low, high):
    return "low" if value < low else "high" if value > high else "mid"


def scale(column, factor=1.0):
    return column * factor


df = pd.DataFrame({"v": [1, 5, 9], "w": [2.0, 4.0, 8.0]})
df["band"] = df["v"].apply(band, args=(3, 7))
df["half"] = df["w"].transform(scale, factor=0.5)
df["total"] = df[["v", "w"]].apply(sum, axis=1)
print(df.to_dict("records"))
