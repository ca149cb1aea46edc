import pandas as pd

df = pd.read_csv("people.csv")
low, cities = 18, ["Rome", "Oslo"]
print(df.query("age >= @low and city in @cities"))
print(df.query("`full name`.str.contains('an') and height.notna()", engine="python") if False else len(df))
print(df.query("age.between(20, 30)").loc[lambda d: d["city"].isin(cities), ["age", "city"]])
