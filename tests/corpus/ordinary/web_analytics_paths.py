import pandas as pd
pages = ["/home", "/about", "/cart", "/checkout/step-1"]
df = pd.DataFrame({"page": pages, "views": [10, 20, 5, 2]})
df["section"] = df["page"].str.strip("/").str.split("/").str[0]
print(df.groupby("section")["views"].sum().to_dict())
df.to_csv("views.csv", index=False)
