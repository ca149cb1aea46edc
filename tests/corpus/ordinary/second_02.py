import pandas as pd
df = pd.DataFrame({"Price (USD)": [1.0], "Type": ["x"], "Module": ["m"]})
print(df["Price (USD)"].mean(), df.filter(like="Mod").columns.tolist())
df = df.rename(columns={"Type": "type", "Module": "modules"})
print(df["modules"].iloc[0], df.type.iloc[0])
