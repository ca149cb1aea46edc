import pandas as pd
df = pd.read_csv("data/orders.csv", sep=";", decimal=",", encoding="utf-8-sig")
df.columns = [c.strip().lower().replace(" ", "_") for c in df.columns]
monthly = df.assign(month=pd.to_datetime(df["date"]).dt.to_period("M")).groupby("month", as_index=False)["amount"].sum()
monthly["month"] = monthly["month"].astype(str)
monthly.to_json("output/monthly.json", orient="records", indent=2)
